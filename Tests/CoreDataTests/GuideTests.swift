import CoreData
import DecantMigration
import DecantStore
import Foundation
import Testing

@testable import PolicyShapes

@Suite("The calls in Apple's migration guide")
struct GuideTests {
  /// Two passes: categories by name, then notes.
  private static let passes = [
    "{ source: 'Notas', destination: 'Notas 2', entityMappings: [ { name: 'Categorias', source: 'Nota', "
      + "destination: 'Categoria', filter: 'categoria != nil', uniqueBy: '$source.categoria', "
      + "attributes: { nombre: '$source.categoria' } } ] }",
    "{ source: 'Notas', destination: 'Notas 2', entityMappings: [ { name: 'NotaToNota', source: 'Nota', "
      + "destination: 'Nota', relationships: { categorias: \"FUNCTION($manager, "
      + "'destinationInstancesForEntityMappingNamed:sourceInstances:', 'Categorias', $source)\" } } ] }",
  ]

  private func models(_ shop: NotasShop) throws -> (NSManagedObjectModel, NSManagedObjectModel) {
    (
      try #require(NSManagedObjectModel(contentsOf: shop.bundle("Notas"))),
      try #require(NSManagedObjectModel(contentsOf: shop.bundle("Notas 2")))
    )
  }

  private func mapping(_ text: String, _ name: String, _ shop: NotasShop) throws -> NSMappingModel {
    let (source, destination) = try models(shop)
    try shop.folder.write(text, to: "mappings/\(name)/\(name).mapping.json5")
    return try #require(
      NSMappingModel(
        inFolders: [shop.folder.url.appendingPathComponent("mappings/\(name)")], forSourceModel: source,
        destinationModel: destination))
  }

  private func migrate(
    _ manager: NSMigrationManager, _ shop: NotasShop, _ mapping: NSMappingModel?, to url: URL? = nil
  ) throws {
    try manager.migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: url ?? shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
  }

  @Test("the guide's steps: compare the versions, find the source model and the mapping model, migrate")
  func flow() throws {
    let shop = try NotasShop(policy: "PolicyShapes.DictionaryPolicy")
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: shop.source, options: nil)
    #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    #expect(metadata["MyKey"] as? String == "kept")
    let current = try #require(NSManagedObjectModel.mergedModel(inFolders: [shop.catalogue]))
    #expect(!current.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    let source = try #require(
      NSManagedObjectModel.mergedModel(inFolders: [shop.catalogue], forStoreMetadata: metadata))
    #expect(source.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(source.entitiesByName["Nota"]?.attributesByName["orden"]?.attributeType == .integer16AttributeType)
    let mapping = try #require(
      NSMappingModel(inFolders: [shop.catalogue], forSourceModel: source, destinationModel: current))
    #expect(mapping.entityMappingsByName["NotaToNota"]?.mappingType == .customEntityMappingType)
    let manager = NSMigrationManager(sourceModel: source, destinationModel: current)
    // The policy class is found by its name with its module.
    try migrate(manager, shop, mapping)
    #expect(manager.migrationProgress == 1)
    #expect(try shop.lines().last == "categories calle,casa")
    let result = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: shop.output)
    #expect(current.isConfiguration(withName: nil, compatibleWithStoreMetadata: result))
    #expect(result[NSStoreUUIDKey] as? String == metadata[NSStoreUUIDKey] as? String)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.output.deletingLastPathComponent().path) == [
        "Store.sqlite"
      ])
  }

  @Test("policies see the program's own subclass of the manager")
  func ownManager() throws {
    final class CountingManager: NSMigrationManager {
      var steps = 0
    }
    final class AskingPolicy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        guard let manager = manager as? CountingManager else { throw CocoaError(.migration) }
        manager.steps += 1
      }
    }
    let shop = try NotasShop(policy: "AskingPolicy")
    let (source, destination) = try models(shop)
    let manager = CountingManager(sourceModel: source, destinationModel: destination)
    manager.registry.add(AskingPolicy.self, as: "AskingPolicy")
    try migrate(
      manager, shop,
      NSMappingModel(inFolders: [shop.catalogue], forSourceModel: source, destinationModel: destination))
    #expect(manager.steps == 1)
    #expect(try shop.lines().count == 6)
    #expect(throws: CoreDataError.self) { try migrate(manager, shop, nil) }
  }

  @Test("a second migrateStore adds to the destination, and finds the associations of the first")
  func twoPasses() throws {
    let shop = try NotasShop()
    let (source, destination) = try models(shop)
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    try migrate(manager, shop, try mapping(Self.passes[0], "One", shop))
    #expect(try shop.lines() == ["categories calle,casa"])
    try migrate(manager, shop, try mapping(Self.passes[1], "Two", shop))
    #expect(
      try shop.lines() == [
        "a 1 - 0 [casa]", "b 2 - 10 [-]", "c 3 - 20 [calle]", "- 4 - 30 [casa]", "e 5 - 40 [casa]",
        "categories calle,casa",
      ])
  }

  @Test("a destination of another program is refused and not changed")
  func foreignDestination() throws {
    let shop = try NotasShop()
    let (source, destination) = try models(shop)
    let one = try mapping(Self.passes[0], "One", shop)
    try migrate(NSMigrationManager(sourceModel: source, destinationModel: destination), shop, one)
    let before = try Data(contentsOf: shop.output)
    let other = NSMigrationManager(sourceModel: source, destinationModel: destination)
    let error = #expect(throws: CoreDataError.self) { try migrate(other, shop, one) }
    #expect(error?.code == NSMigrationManagerDestinationStoreError)
    #expect((error as NSError?)?.domain == NSCocoaErrorDomain)
    #expect(try Data(contentsOf: shop.output) == before)
  }

  @Test(
    "a destination that is the source's own file is refused, also through a link or a linked folder",
    arguments: 0..<4)
  func oneFile(kind: Int) throws {
    let shop = try NotasShop()
    let (source, destination) = try models(shop)
    let before = try Data(contentsOf: shop.source)
    let files = FileManager.default
    var url = shop.source
    switch kind {
    case 1:
      url = shop.output
      try files.createSymbolicLink(at: url, withDestinationURL: shop.source)
    case 2:
      url = shop.output
      try files.linkItem(at: shop.source, to: url)
    case 3:
      let folder = shop.folder.url.appendingPathComponent("other")
      try files.createSymbolicLink(at: folder, withDestinationURL: shop.source.deletingLastPathComponent())
      url = folder.appendingPathComponent("Store.sqlite")
    default: break
    }
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    let mapping = try mapping(Self.passes[0], "One", shop)
    #expect(throws: CoreDataError.self) { try migrate(manager, shop, mapping, to: url) }
    #expect(try Data(contentsOf: shop.source) == before)
  }

  @Test("a cancelled migration throws the given error and leaves no files")
  func cancelled() throws {
    let shop = try NotasShop(policy: "DictionaryPolicy")
    let (source, destination) = try models(shop)
    let mapping = try #require(
      NSMappingModel(inFolders: [shop.catalogue], forSourceModel: source, destinationModel: destination))
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    manager.registry.add(DictionaryPolicy.self)
    manager.progressHandler = { _ in
      manager.cancelMigrationWithError(NSError(domain: "app", code: 7))
    }
    let error = #expect(throws: (any Error).self) { try migrate(manager, shop, mapping) }
    #expect((error as NSError?)?.code == 7)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.output.deletingLastPathComponent().path) == [])
    manager.progressHandler = nil
  }

  @Test("an inferred mapping model runs; a store of another version than the source model is refused")
  func inferred() throws {
    let shop = try NotasShop()
    let (source, destination) = try models(shop)
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    try migrate(manager, shop, mapping)
    #expect(try shop.lines().count == 6)
    let error = #expect(throws: CoreDataError.self) {
      try migrate(
        NSMigrationManager(sourceModel: destination, destinationModel: source), shop, mapping,
        to: shop.folder.url.appendingPathComponent("x.sqlite"))
    }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test("a missing model gives nil, and the error of the throwing method names the file")
  func missingModel() throws {
    let url = URL(fileURLWithPath: "/nowhere/Notas.mom")
    #expect(NSManagedObjectModel(contentsOf: url) == nil)
    let errors = [
      #expect(throws: CoreDataError.self) { try NSManagedObjectModel.model(at: url) },
      #expect(throws: CoreDataError.self) {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: url)
      },
    ]
    for error in errors { #expect(error?.localizedDescription.contains(url.path) == true, "\(error as Any)") }
  }
}
