import DecantTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite("Genuine stores that options of addPersistentStore migrate in their place")
struct GenuineUpgradeTests {
  /// One store of each project whose model is in an `.xcdatamodeld`.
  static let stores = Dictionary(
    grouping: SharedFixtures.manifest.filter { store in
      store.kind == "SQLite" && store.modelFolder?.deletingLastPathComponent().pathExtension == "xcdatamodeld"
    }, by: \.folder
  ).compactMap(\.value.first).sorted { $0.folder < $1.folder }

  @Test(
    "a store is migrated to the current version and can be read, or stays as it is",
    .enabled(if: SharedFixtures.areThere, Comment(rawValue: SharedFixtures.reason)), arguments: stores)
  func upgrade(_ store: SharedFixtures.Store) throws {
    let folder = try TemporaryFolder()
    let url = try SharedFixtures.copy(store, into: folder)
    func files() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      return Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, FileManager.default.contents(atPath: folder.path($0)) ?? Data())
        })
    }
    let before = try files()
    let bundle = try #require(store.modelFolder).deletingLastPathComponent()
    guard let model = NSManagedObjectModel(contentsOf: bundle) else { return }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]
    do {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    } catch let error as CoreDataError {
      // Some steps need a mapping model or a policy, and some stores are of a version that the folder lacks.
      #expect(error.message.count > 40, "\(error)")
      #expect(try files() == before)
      return
    }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    for entity in model.entities where !entity.isAbstract {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      request.fetchLimit = 20
      for object in try context.fetch(request) {
        for name in entity.propertiesByName.keys { _ = object.value(forKey: name) }
      }
    }
    let names = Set(try files().keys)
    #expect(names.allSatisfy { before[$0] != nil || $0 == url.lastPathComponent }, "\(names)")
  }
}
