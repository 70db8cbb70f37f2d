import CoreData
import Foundation
import Testing

@testable import PolicyShapes

@Suite("Staged migration of a store's file") struct StagedTests {
  private func finalModel(_ shop: AgendaShop) throws -> NSManagedObjectModel {
    try #require(NSManagedObjectModel(contentsOf: shop.file(4)))
  }

  private func mapping(_ shop: AgendaShop) throws -> (NSCustomMigrationStage) throws -> NSMappingModel? {
    let bundle = try shop.bundle()
    return { stage in
      NSMappingModel(
        from: [bundle], forSourceModel: stage.currentModel.resolvedModel,
        destinationModel: stage.nextModel.resolvedModel)
    }
  }

  @Test("stages run in their order; a mapping model does the work of a custom stage")
  func stages() throws {
    let shop = try AgendaShop()
    let staged = StagedMigrator(bundle: try shop.bundle()).manager(withHandlers: false)
    let first = try #require(NSManagedObjectModel(contentsOf: shop.file(1)))
    let progress = Progress(totalUnitCount: 1)
    progress.becomeCurrent(withPendingUnitCount: 1)
    defer { progress.resignCurrent() }
    #expect(
      try staged.migrateStore(
        from: shop.source, to: shop.output, finalModel: try finalModel(shop), models: [first],
        mapping: try mapping(shop)))
    #expect(progress.fractionCompleted == 1)
    #expect(shop.found == MigratorShapeTests.final)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.output.deletingLastPathComponent().path) == [
        "Store.sqlite"
      ])
    let again = shop.folder.url.appendingPathComponent("again.sqlite")
    #expect(
      try !staged.migrateStore(from: shop.output, to: again, finalModel: try finalModel(shop)))
    #expect(!FileManager.default.fileExists(atPath: again.path))
  }

  @Test("a store of a later version runs only the remaining stages")
  func middle() throws {
    let shop = try AgendaShop(store: 2)
    let staged = StagedMigrator(bundle: try shop.bundle()).manager(withHandlers: false)
    try staged.migrateStore(
      from: shop.source, to: shop.output, finalModel: try finalModel(shop), mapping: try mapping(shop))
    #expect(shop.found == MigratorShapeTests.final)
  }

  @Test("a handler is refused unless the call allows it")
  func handlers() throws {
    let shop = try AgendaShop(store: 2)
    let migrator = StagedMigrator(bundle: try shop.bundle())
    let staged = migrator.manager(withHandlers: true)
    let error = #expect(throws: CoreDataError.self) {
      try staged.migrateStore(from: shop.source, to: shop.output, finalModel: try finalModel(shop))
    }
    for part in [
      "\(shop.source.path): the stage “Telephones” has a handler", "closure “mapping” of migrateStore",
      "callsHandlers: true",
    ] { #expect(error?.message.contains(part) == true, "\(part): \(error as Any)") }
    #expect(migrator.events == [])
    // This step isn't lightweight: the handler before it is called, and then the step fails.
    let other = #expect(throws: CoreDataError.self) {
      try staged.migrateStore(
        from: shop.source, to: shop.output, finalModel: try finalModel(shop), callsHandlers: true)
    }
    #expect(other?.code == NSInferredMappingModelError)
    #expect(migrator.events == ["will Telephones of 3"])
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
  }

  @Test(
    "stages of addPersistentStore take mapping models from modelFolders; without one the error says what to add"
  )
  func inPlace() throws {
    let shop = try AgendaShop(store: 2)
    let staged = StagedMigrator(bundle: try shop.bundle()).manager(withHandlers: true)
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSPersistentStoreStagedMigrationManagerOptionKey: staged,
    ]
    let before = try Data(contentsOf: shop.source)
    func coordinator() throws -> NSPersistentStoreCoordinator {
      NSPersistentStoreCoordinator(managedObjectModel: try finalModel(shop))
    }
    let without = try coordinator()
    let error = #expect(throws: CoreDataError.self) {
      try without.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: shop.source, options: options)
    }
    for part in [shop.source.path, "the stage “Telephones” has a handler", "modelFolders"] {
      #expect(error?.message.contains(part) == true, "\(part): \(error as Any)")
    }
    // addPersistentStore has no closure “mapping”, so the message doesn't propose it.
    #expect(error?.message.contains("closure") == false, "\(error as Any)")
    #expect(try Data(contentsOf: shop.source) == before)
    let with = try coordinator()
    with.modelFolders = [shop.bundleFolder]
    try with.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: shop.source, options: options)
    #expect(try shop.lines(of: shop.source) == MigratorShapeTests.final)
  }

  @Test("a stage without a label is named by its number")
  func unlabelled() throws {
    let shop = try AgendaShop(store: 2)
    let staged = StagedMigrator(bundle: try shop.bundle()).manager(withHandlers: true)
    staged.stages[1].label = nil
    let error = #expect(throws: CoreDataError.self) {
      try staged.migrateStore(from: shop.source, to: shop.output, finalModel: try finalModel(shop))
    }
    #expect(
      error?.message.contains("stage 2 of 3, which has no label, has a handler") == true, "\(error as Any)")
  }

  @Test("handlers of a lightweight step are called before and after it")
  func lightweightHandlers() throws {
    let shop = try AgendaShop(store: 1)
    let (one, two) = (
      try #require(NSManagedObjectModel(contentsOf: shop.file(1))),
      try #require(NSManagedObjectModel(contentsOf: shop.file(2)))
    )
    let stage = NSCustomMigrationStage(
      migratingFrom: NSManagedObjectModelReference(model: one, versionChecksum: one.versionChecksum),
      to: NSManagedObjectModelReference(
        entityVersionHashes: two.entityVersionHashesByName, in: try shop.bundle(),
        versionChecksum: two.versionChecksum))
    var events: [String] = []
    stage.willMigrateHandler = { _, _ in events.append("will") }
    stage.didMigrateHandler = { _, _ in events.append("did") }
    let staged = NSStagedMigrationManager([stage])
    try staged.migrateStore(from: shop.source, to: shop.output, finalModel: two, callsHandlers: true)
    #expect(events == ["will", "did"])
    #expect(try shop.lines().count == 3)
    struct Enough: Error {}
    stage.willMigrateHandler = { _, _ in throw Enough() }
    let other = shop.folder.url.appendingPathComponent("other.sqlite")
    #expect(throws: Enough.self) {
      try staged.migrateStore(from: shop.source, to: other, finalModel: two, callsHandlers: true)
    }
    #expect(!FileManager.default.fileExists(atPath: other.path))
    (stage.willMigrateHandler, stage.didMigrateHandler) = (nil, { _, _ in throw Enough() })
    #expect(throws: Enough.self) {
      try staged.migrateStore(from: shop.source, to: other, finalModel: two, callsHandlers: true)
    }
    #expect(!FileManager.default.fileExists(atPath: other.path))
    let error = #expect(throws: CoreDataError.self) {
      try staged.migrateStore(from: shop.source, to: shop.output, finalModel: two, callsHandlers: true)
    }
    #expect(error?.code == NSMigrationManagerDestinationStoreError)
  }

  @Test("a version that no stage knows, and a model with another checksum, are refused")
  func refusals() throws {
    let shop = try AgendaShop(store: 1)
    let one = try #require(NSManagedObjectModel(contentsOf: shop.file(1)))
    let four = try finalModel(shop)
    let staged = NSStagedMigrationManager([NSLightweightMigrationStage(["a", "b"])])
    let error = #expect(throws: CoreDataError.self) {
      try staged.migrateStore(from: shop.source, to: shop.output, finalModel: four, models: [one])
    }
    #expect(error?.message.contains(one.versionChecksum) == true, "\(error as Any)")
    let unknown = #expect(throws: CoreDataError.self) {
      try staged.migrateStore(from: shop.source, to: shop.output, finalModel: four)
    }
    #expect(unknown?.message.contains(shop.source.path) == true, "\(unknown as Any)")
    let reference = NSManagedObjectModelReference(fileURL: shop.file(1), versionChecksum: "wrong")
    #expect(throws: CoreDataError.self) { try reference.resolved() }
    #expect(reference.resolvedModel.entities.isEmpty)
    let missing = NSManagedObjectModelReference(name: "Nadie", in: try shop.bundle(), versionChecksum: "x")
    #expect(throws: CoreDataError.self) { try missing.resolved() }
  }
}
