import CoreData

/// Reads dictionaries and IDs from an old store that is opened for reading only, without migrating it.
///
/// It stands for: `NSReadOnlyPersistentStoreOption`, dictionaries and IDs as results, `performAndWait` with a
/// value.
class Exporter {
  private let context: NSManagedObjectContext

  init(storeURL: URL, bundle: Bundle) throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: storeURL, options: nil)
    guard let model = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata) else {
      throw CocoaError(.persistentStoreIncompatibleVersionHash)
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options: [String: Any] = [
      NSReadOnlyPersistentStoreOption: true, NSSQLitePragmasOption: ["journal_mode": "OFF"],
    ]
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: options)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  func export(_ entityName: String) throws -> [String] {
    let request = NSFetchRequest<NSDictionary>(entityName: entityName)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["texto", "orden"]
    request.sortDescriptors = [NSSortDescriptor(key: "orden", ascending: false)]
    request.fetchLimit = 3
    return try context.performAndWait {
      try context.fetch(request).map { row in
        "\(row["orden"] as? Int ?? -1) \(row["texto"] as? String ?? "-")"
      }
    }
  }

  func identifiers(_ entityName: String) throws -> [String] {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: entityName)
    request.resultType = .managedObjectIDResultType
    return try context.fetch(request).map { $0.uriRepresentation().lastPathComponent }
  }
}
