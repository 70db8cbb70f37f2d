import CoreData

/// Loads and reads a store with async and await.
///
/// It stands for: `loadPersistentStores` in a continuation, `context.perform` and `performBackgroundTask`
/// with `await`.
final class AsyncLoader {
  let container: NSPersistentContainer

  init(model: NSManagedObjectModel, storeURL: URL) {
    container = NSPersistentContainer(name: "Notas", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
  }

  func load() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
      container.loadPersistentStores { _, error in
        if let error = error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume()
        }
      }
    }
  }

  func titles() async throws -> [String] {
    let context = container.newBackgroundContext()
    return try await context.perform {
      let request = NSFetchRequest<Nota>(entityName: "Nota")
      request.sortDescriptors = [NSSortDescriptor(key: "texto", ascending: true)]
      return try context.fetch(request).compactMap { $0.texto }
    }
  }

  func count() async -> Int {
    await container.performBackgroundTask { context in
      (try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Nota"))) ?? 0
    }
  }
}
