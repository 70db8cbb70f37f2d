import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite("Contexts over genuine stores")
struct GenuineContextTests {
  @Test(
    "genuine stores: every object of every entity is read",
    .enabled(if: SharedFixtures.areThere, Comment(rawValue: SharedFixtures.reason)),
    arguments: SharedFixtures.manifest.filter { $0.modelFolder != nil && $0.kind == "SQLite" })
  func genuine(_ store: SharedFixtures.Store) throws {
    let folder = try TemporaryFolder()
    let url = try SharedFixtures.copy(store, into: folder)
    let before = try Data(contentsOf: url)
    // The models of one project can't be read: a default value isn't a decimal number.
    guard let model = NSManagedObjectModel(contentsOf: try #require(store.modelFolder)) else { return }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      try coordinator.addPersistentStore(ofType: store.kind, configurationName: nil, at: url)
    } catch let error as CoreDataError {
      // Some stores aren't of the model's version.
      #expect(error.code == NSPersistentStoreIncompatibleVersionHashError, "\(error)")
      #expect(store.verified < store.hashes || model.entities.count != store.hashes, "\(error)")
      return
    }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    for entity in model.entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      let objects = try context.fetch(request)
      #expect(objects.count == store.rows[entity.name ?? ""] ?? 0, "\(entity.name ?? "")")
      for object in objects.prefix(200) {
        for name in entity.propertiesByName.keys { _ = object.value(forKey: name) }
      }
    }
    do { try context.save() } catch let error as CoreDataError {
      // Three stores hold NaN as a decimal number, which Decant's attributes can't have.
      #expect(error.message.contains("“NaN” is not a decimal number"), "\(error)")
    }
    #expect(try Data(contentsOf: url) == before)
  }
}
