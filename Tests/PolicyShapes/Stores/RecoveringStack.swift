import CoreData

/// The Core Data stack of an older app, which uses its store as a cache and deletes a store of another version.
///
/// It stands for: the error code 134100, `destroyPersistentStore`, a second `addPersistentStore`, child
/// contexts.
class RecoveringStack {
  let model: NSManagedObjectModel
  let storeURL: URL
  private(set) var log: [String] = []

  init(model: NSManagedObjectModel, storeURL: URL) {
    self.model = model
    self.storeURL = storeURL
  }

  lazy var coordinator: NSPersistentStoreCoordinator? = {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: self.model)
    let options = [NSPersistentHistoryTrackingKey: true]
    do {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: self.storeURL, options: options)
    } catch let error as NSError where error.code == NSPersistentStoreIncompatibleVersionHashError {
      self.log.append("incompatible")
      do {
        try coordinator.destroyPersistentStore(
          at: self.storeURL, ofType: NSSQLiteStoreType, options: options)
        try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: self.storeURL, options: options)
      } catch {
        self.log.append("\(error)")
        return nil
      }
    } catch {
      self.log.append((error as NSError).domain)
      return nil
    }
    return coordinator
  }()

  lazy var context: NSManagedObjectContext = {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = self.coordinator
    return context
  }()

  lazy var child: NSManagedObjectContext = {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = self.context
    return child
  }()

  func count() -> Int {
    var count = -1
    child.performAndWait {
      count = (try? child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Nota"))) ?? -1
    }
    return count
  }
}
