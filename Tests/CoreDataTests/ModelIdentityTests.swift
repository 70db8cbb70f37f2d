import CoreData
import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@testable import PolicyShapes

@Suite("Models, files and classes as a program finds them") struct ModelIdentityTests {
  private func model(_ shop: NotasShop, _ version: String) throws -> NSManagedObjectModel {
    try #require(NSManagedObjectModel(contentsOf: shop.bundle(version)))
  }

  private func manager(_ shop: NotasShop) throws -> NSMigrationManager {
    NSMigrationManager(
      sourceModel: try model(shop, "Notas"), destinationModel: try model(shop, "Notas 2"))
  }

  private func migrate(_ manager: NSMigrationManager, _ shop: NotasShop) throws {
    try manager.migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil,
      with: NSMappingModel(
        inFolders: [shop.catalogue], forSourceModel: manager.sourceModel,
        destinationModel: manager.destinationModel),
      toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
  }

  @Test("a model that is read twice is equal, also in lists, sets and dictionaries; so are its entities")
  func equality() throws {
    let shop = try NotasShop()
    let models = [try model(shop, "Notas"), try model(shop, "Notas 2")]
    let again = try model(shop, "Notas 2")
    #expect(again !== models[1])
    #expect(again == models[1])
    #expect(again != models[0])
    #expect(models.firstIndex(of: again) == 1)
    #expect(models.first { $0 == again } === models[1])
    #expect(Set(models + [again]).count == 2)
    #expect([models[1]: "new"][again] == "new")
    let (one, other) = (models[0].entitiesByName["Nota"], models[1].entitiesByName["Nota"])
    #expect(one != other)
    #expect(other == again.entitiesByName["Nota"])
    #expect(other?.hash == again.entitiesByName["Nota"]?.hash)
    #expect(other != again.entitiesByName["Categoria"])
  }

  @Test("merged models are equal, whatever the order in which they were merged")
  func merged() throws {
    let shop = try NotasShop()
    func other(_ name: String) throws -> NSManagedObjectModel {
      let place = "\(name).xcdatamodel"
      try shop.folder.write(ModelText("\(name)\n  name String?").contents, to: "\(place)/contents")
      return try #require(NSManagedObjectModel(contentsOf: shop.folder.url.appendingPathComponent(place)))
    }
    let (one, two) = (try other("Apunte"), try other("Persona"))
    let whole = try #require(NSManagedObjectModel(byMerging: [one, two]))
    let other = try #require(NSManagedObjectModel(byMerging: [two, one]))
    #expect(whole == other)
    #expect(whole.hash == other.hash)
    #expect(whole != one)
    let current = try model(shop, "Notas 2")
    #expect(NSManagedObjectModel(byMerging: [current, one]) != current)
    #expect(NSManagedObjectModel(byMerging: [current]) == current)
    let old = try model(shop, "Notas")
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: shop.source)
    #expect(NSManagedObjectModel(byMerging: [one, current, old], forStoreMetadata: metadata) == old)
    #expect(NSManagedObjectModel(byMerging: [one, current], forStoreMetadata: metadata) == nil)
  }

  @Test("a cancellation before migrateStore ends it, and the error is the given object")
  func cancelledBefore() throws {
    final class Stop: NSError, @unchecked Sendable {}
    let shop = try NotasShop(policy: "DictionaryPolicy")
    let manager = try manager(shop)
    let given = Stop(domain: "app", code: 9)
    manager.cancelMigrationWithError(given)
    let error = #expect(throws: (any Error).self) { try migrate(manager, shop) }
    #expect(error as? Stop === given)
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
    // The cancellation counts once: the manager can be used again.
    try migrate(manager, shop)
    #expect(try shop.lines().count == 6)
  }

  @Test("if a policy cancels, the error is the object that the policy gave")
  func cancelledWithin() throws {
    final class Stop: NSError, @unchecked Sendable {}
    final class CancellingBeginPolicy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        if let error = manager.userInfo?["error"] as? Stop { manager.cancelMigrationWithError(error) }
      }
    }
    let shop = try NotasShop(policy: "CancellingBeginPolicy")
    let manager = try manager(shop)
    manager.registry.add(CancellingBeginPolicy.self, as: "CancellingBeginPolicy")
    let given = Stop(domain: "app", code: 11)
    manager.userInfo = ["error": given]
    let error = #expect(throws: (any Error).self) { try migrate(manager, shop) }
    #expect(error as? Stop === given)
  }

  @Test(
    "a text is read with the models beside it; without them the result is nil, and the throwing method says why"
  )
  func text() throws {
    let shop = try NotasShop()
    let text = shop.catalogue.appendingPathComponent("Notas/Notas.mapping.json5")
    let mapping = try #require(NSMappingModel(contentsOf: text))
    #expect(mapping.entityMappingsByName["NotaToNota"]?.destinationEntityName == "Nota")
    #expect(
      mapping.entityMappingsByName["NotaToNota"]?.sourceEntityVersionHash
        == (try model(shop, "Notas").entitiesByName["Nota"]?.versionHash))
    let alone = shop.folder.url.appendingPathComponent("alone/Notas.mapping.json5")
    try FileManager.default.createDirectory(
      at: alone.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: text, to: alone)
    #expect(NSMappingModel(contentsOf: alone) == nil)
    let error = #expect(throws: CoreDataError.self) { try NSMappingModel.mappingModel(at: alone) }
    #expect(error?.message.contains(alone.path) == true, "\(error as Any)")
    #expect(error?.message.contains("“Notas") == true, "\(error as Any)")
    #expect(NSMappingModel(contentsOf: nil) == nil)
  }

  @Test(
    "a class is found by its name with any module, and without one",
    arguments: ["App.DictionaryPolicy", "DictionaryPolicy"])
  func classes(name: String) throws {
    let shop = try NotasShop(policy: name)
    try migrate(try manager(shop), shop)
    #expect(try shop.lines().last == "categories calle,casa")
  }

  @Test("the error names a class that the program lacks")
  func missingClass() throws {
    let shop = try NotasShop(policy: "App.NobodysPolicy")
    let error = #expect(throws: CoreDataError.self) { try migrate(try manager(shop), shop) }
    #expect(error?.message.contains("App.NobodysPolicy") == true, "\(error as Any)")
    #expect(error?.message.contains("/reference") == false)
    #expect(error?.message.contains("“registry”") == true, "\(error as Any)")
    #expect(error?.message.contains("family.json5") == false)
  }
}
