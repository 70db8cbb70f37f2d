import CoreData

/// An app's Core Data stack: a container with a description, for the app's views.
///
/// It stands for: `NSPersistentContainer` with a description and options, merge policies, and `save` after a check
/// of `hasChanges`.
class NotesStack {
  static let modelName = "Notas"
  private let storeURL: URL
  private let model: NSManagedObjectModel
  private(set) var loadError: NSError?

  init(model: NSManagedObjectModel, storeURL: URL) {
    self.model = model
    self.storeURL = storeURL
  }

  lazy var persistentContainer: NSPersistentContainer = {
    let container = NSPersistentContainer(name: NotesStack.modelName, managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: storeURL)
    description.shouldMigrateStoreAutomatically = true
    description.shouldInferMappingModelAutomatically = true
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores(completionHandler: { [weak self] _, error in
      if let error = error as NSError? { self?.loadError = error }
    })
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    container.viewContext.name = "view"
    return container
  }()

  func notes(containing text: String) throws -> [Nota] {
    let request: NSFetchRequest<Nota> = Nota.fetchRequest()
    request.predicate = NSPredicate(format: "texto CONTAINS[cd] %@", text)
    request.sortDescriptors = [NSSortDescriptor(key: "orden", ascending: true)]
    return try persistentContainer.viewContext.fetch(request)
  }

  func saveContext() throws {
    let context = persistentContainer.viewContext
    guard context.hasChanges else { return }
    try context.save()
  }

  func countInBackground() -> Int {
    var count = 0
    persistentContainer.performBackgroundTask { context in
      count = (try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Nota"))) ?? 0
    }
    return count
  }
}
