import CoreData
import DecantSQLite
import Foundation
import Testing

@testable import PolicyShapes

@Suite("Migrators as apps have them, with “import CoreData” unchanged") struct MigratorShapeTests {
  static let final = [
    "contacto edad=30 favorito=0 nombre=Ana", "contacto favorito=0 nombre=Zoe",
    "contacto edad=31 favorito=0 nombre=ana", "telefono contacto=Ana numero=1",
    "telefono contacto=Ana numero=2",
    "telefono contacto=ana numero=3",
  ]

  private func model(_ shop: AgendaShop, _ version: Int) throws -> NSManagedObjectModel {
    try #require(NSManagedObjectModel(contentsOf: shop.file(version)))
  }

  private func mapping(_ shop: AgendaShop, _ from: Int, _ to: Int) throws -> NSMappingModel {
    try NSMappingModel.inferredMappingModel(
      forSourceModel: try model(shop, from), destinationModel: try model(shop, to))
  }

  private func migrate(
    _ shop: AgendaShop, _ from: Int, _ to: Int, _ mapping: NSMappingModel?, _ manager: NSMigrationManager? = nil
  ) throws {
    let manager =
      try manager
      ?? NSMigrationManager(sourceModel: try model(shop, from), destinationModel: try model(shop, to))
    try manager.migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
  }

  @Test("an iterative migrator goes through all versions, with the policy of the app's module")
  func iterative() throws {
    let shop = try AgendaShop()
    let migrator = IterativeMigrator(bundle: try shop.bundle(), modelName: "Agenda")
    #expect(try migrator.migrate(storeAt: shop.source, to: shop.output) == 3)
    #expect(shop.found == Self.final)
    #expect(try migrator.migrate(storeAt: shop.output, to: shop.folder.url.appendingPathComponent("x")) == 0)
  }

  @Test("a migrator with an enumeration of versions makes the same store")
  func versions() throws {
    let shop = try AgendaShop()
    let migrator = VersionMigrator(bundle: try shop.bundle())
    #expect(migrator.requiresMigration(at: shop.source))
    let steps = try migrator.migrateStore(at: shop.source, output: shop.output)
    #expect(steps.map(\.destination) == [.version2, .version3, .version4])
    #expect(shop.found == Self.final)
    #expect(!migrator.requiresMigration(at: shop.output))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.output.deletingLastPathComponent().path) == [
        "Store.sqlite"
      ])
  }

  @Test("a migrator takes the versions in the order of its list")
  func indexes() throws {
    let shop = try AgendaShop(store: 1)
    let migrator = ModelIndexMigrator(bundle: try shop.bundle(), versions: AgendaShop.versions)
    #expect(try migrator.route(ofStoreAt: shop.source) == AgendaShop.versions)
    #expect(try migrator.migrate(shop.source, to: shop.output))
    #expect(try migrator.route(ofStoreAt: shop.output) == Array(AgendaShop.versions.dropFirst()))
    #expect(try shop.lines().count == 3)
    // The store keeps its model in Z_MODELCACHE.
    let database = try SQLiteDatabase(shop.output.path, mode: .immutable)
    #expect(try database.rows("SELECT 1 FROM Z_MODELCACHE").count == 1)
  }

  @Test("version hashes of metadata are compared as dictionaries")
  func hashes() throws {
    let shop = try AgendaShop(store: 2)
    let comparer = HashComparer(
      versions: try AgendaShop.versions.enumerated().map { ($1, try model(shop, $0 + 1)) })
    #expect(try comparer.name(ofStoreAt: shop.source) == "Agenda 2")
    #expect(comparer.changedEntities(from: "Agenda 2", to: "Agenda 3") == ["Contacto", "Telefono"])
    #expect(comparer.changedEntities(from: "Agenda 3", to: "Agenda 4") == ["Contacto"])
  }

  @Test("a mapping model of the bundle gets another policy and other hashes")
  func patched() throws {
    let shop = try AgendaShop(policy: "Gone.AwayPolicy", store: 2)
    let patcher = PolicyNamePatcher(bundle: try shop.bundle())
    let mapping = try #require(
      patcher.mapping(
        from: try model(shop, 2), to: try model(shop, 3), policy: "PolicyShapes.SplitTelephonesPolicy"))
    try migrate(shop, 2, 3, mapping)
    #expect(shop.found == Self.final.map { $0.replacing(" favorito=0", with: "") })
  }

  @Test("a mapping model made in code migrates with a filter, an expression and a look-up")
  func codeMapping() throws {
    let shop = try AgendaShop(store: 2, rows: [("Ana", "1,2", 30), (nil, "9", 1), ("Zoe", nil, nil)])
    try migrate(shop, 2, 3, CodeMapping.make(from: try model(shop, 2), to: try model(shop, 3)))
    #expect(
      shop.found == [
        "contacto edad=30 nombre=Ana", "contacto nombre=Zoe", "telefono contacto=Ana numero=1,2",
      ])
  }

  @Test("a model made in code equals the compiled one, and a store is migrated to it")
  func codeModel() throws {
    let shop = try AgendaShop()
    #expect(try model(shop, 4) == CodeModel.model)
    let migrator = IterativeMigrator(bundle: try shop.bundle(), modelName: "Agenda")
    let third = shop.folder.url.appendingPathComponent("third.sqlite")
    try FileManager.default.removeItem(at: shop.file(4))
    try migrator.migrate(storeAt: shop.source, to: third)
    let manager = NSMigrationManager(sourceModel: try model(shop, 3), destinationModel: CodeModel.model)
    try manager.migrateStore(
      from: third, sourceType: NSSQLiteStoreType, options: nil,
      with: NSMappingModel.inferredMappingModel(
        forSourceModel: manager.sourceModel, destinationModel: manager.destinationModel),
      toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    #expect(shop.found == Self.final)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: shop.output)
    for name in [nil, "Local"] {
      #expect(CodeModel.model.isConfiguration(withName: name, compatibleWithStoreMetadata: metadata))
    }
    #expect(!CodeModel.model.isConfiguration(withName: "Cloud", compatibleWithStoreMetadata: metadata))
  }

  @Test("copies of models without the app's classes are equal to the originals and migrate")
  func generic() throws {
    let shop = try AgendaShop(store: 1)
    let (source, destination) = (try model(shop, 1).genericCopy(), try model(shop, 2).genericCopy())
    #expect(source == (try model(shop, 1)))
    #expect(source.entities.allSatisfy { $0.managedObjectClassName == "NSManagedObject" })
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    try migrate(shop, 1, 2, try mapping(shop, 1, 2), manager)
    #expect(try shop.lines().count == 3)
  }

  @Test("an inferred mapping model gets a policy for one entity and another value for one property")
  func inferredWithPolicy() throws {
    let shop = try AgendaShop(store: 1)
    try migrate(
      shop, 1, 2, try InferredWithPolicy.mapping(from: try model(shop, 1), to: try model(shop, 2)))
    #expect(
      shop.found == [
        "contacto edad=130 nombre=Ana nota=de Ana telefono=1,2", "contacto nombre=Zoe nota=de Zoe",
        "contacto edad=131 nombre=ana nota=de ana telefono=3",
      ])
  }

  @Test("the errors that a program catches have Core Data's codes")
  func errors() throws {
    let shop = try AgendaShop(store: 1)
    let reader = ErrorReadingMigrator()
    #expect(reader.message { try migrate(shop, 1, 2, nil) } == "no mapping model")
    #expect(reader.message { _ = try mapping(shop, 2, 3) }.hasPrefix("not inferable: "))
    let other = reader.message { try migrate(shop, 2, 3, try mapping(shop, 3, 4)) }
    #expect(other == "other model", "\(other)")
    let manager = NSMigrationManager(
      sourceModel: try model(shop, 1), destinationModel: try model(shop, 2))
    reader.cancel(manager, because: "later")
    #expect(reader.message { try migrate(shop, 1, 2, try mapping(shop, 1, 2), manager) } == "app: later")
    #expect(reader.message { try migrate(shop, 1, 2, try mapping(shop, 1, 2), manager) } == "done")
  }

  @Test("a store is replaced by its result, with a backup")
  func replacing() throws {
    let shop = try AgendaShop(store: 1)
    let before = try Data(contentsOf: shop.source)
    let backup = try ReplacingMigrator(bundle: try shop.bundle()).migrate(shop.source, to: try model(shop, 2))
    #expect(try Data(contentsOf: backup) == before)
    #expect(try shop.lines(of: shop.source).first == "contacto edad=30 nombre=Ana telefono=1,2")
  }

  @Test("a program finds the changes between two models in their descriptions")
  func inspector() throws {
    let shop = try AgendaShop()
    let inspector = ModelInspector(old: try model(shop, 2), new: try model(shop, 3))
    #expect(
      inspector.changes == [
        "+Contacto.telefonos:many Telefono/contacto", "+Telefono", "-Contacto.nota", "-Contacto.telefono",
        "~Contacto.edad:number→:text",
      ])
  }

  @Test("a mapping model in a text file is used only for the versions that it names")
  func otherVersions() throws {
    let shop = try AgendaShop()
    func mapping(_ from: NSManagedObjectModel, _ to: NSManagedObjectModel, in folder: URL) -> NSMappingModel? {
      NSMappingModel(inFolders: [folder], forSourceModel: from, destinationModel: to)
    }
    let models = try (1...4).map { try model(shop, $0) }
    #expect(mapping(models[0], models[1], in: shop.bundleFolder) == nil)
    #expect(mapping(models[1], models[2], in: shop.bundleFolder)?.entityMappings.count == 1)
    #expect(mapping(models[2], models[1], in: shop.bundleFolder) == nil)
    // If the folder has no models, the names of the models' own files are compared.
    let alone = shop.folder.url.appendingPathComponent("alone")
    try FileManager.default.createDirectory(at: alone, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: shop.bundleFolder.appendingPathComponent("Agenda2to3.mapping.json5"),
      to: alone.appendingPathComponent("Agenda2to3.mapping.json5"))
    #expect(mapping(models[0], models[1], in: alone) == nil)
    #expect(mapping(models[1], models[2], in: alone) != nil)
  }
}
