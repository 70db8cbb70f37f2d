import CoreData
import DecantSQLite
import Foundation
import Testing

@testable import PolicyShapes

@Suite("Stacks, store files and test cases as apps have them, with “import CoreData” unchanged")
struct StoreShapeTests {
  @Test("a migrator that goes version by version, with metadata, replace and destroy")
  func steps() throws {
    let app = try NotasApp()
    let migrator = StepMigrator(bundle: app.bundle)
    #expect(try migrator.requiresMigration(at: app.shop.source, toVersion: .current))
    try migrator.migrateStore(at: app.shop.source, toVersion: .current)
    #expect(try app.shop.lines(of: app.shop.source) == NotasApp.migrated)
    #expect(try !migrator.requiresMigration(at: app.shop.source, toVersion: .current))
    #expect(try app.names("in") == ["Store.sqlite"])
    try migrator.migrateStore(at: app.shop.source, toVersion: .current)
    #expect(try !migrator.requiresMigration(at: app.url("in/None.sqlite"), toVersion: .current))
  }

  @Test("a recursive migrator with mapping models, which moves the files itself")
  func progressive() throws {
    let app = try NotasApp()
    let before = try Data(contentsOf: app.shop.source)
    let migrator = ProgressiveMigrator(bundle: app.bundle)
    try migrator.progressivelyMigrate(
      url: app.shop.source, ofType: NSSQLiteStoreType, to: try app.model("Notas 2"))
    #expect(migrator.steps == ["NotaToNota"])
    #expect(try app.shop.lines(of: app.shop.source) == NotasApp.migrated)
    #expect(try Data(contentsOf: app.url("in/Store.backup")) == before)
    let back = #expect(throws: ProgressiveMigrator.MigrationFailure.self) {
      try migrator.progressivelyMigrate(
        url: app.shop.source, ofType: NSSQLiteStoreType, to: try app.model("Notas"))
    }
    #expect(back == .noWay)
  }

  @Test("a store is moved into a shared folder only once")
  func mover() throws {
    let app = try NotasApp()
    for _ in 0..<2 {
      let mover = StoreMover(
        model: try app.model("Notas"), oldURL: app.shop.source, sharedURL: app.url("out/Shared.sqlite"))
      var errors: [String] = []
      mover.loadStores { error in if let error { errors.append("\(error)") } }
      #expect(errors.isEmpty)
      #expect(
        mover.container.persistentStoreCoordinator.persistentStores.map(\.url) == [app.url("out/Shared.sqlite")]
      )
      let request = NSFetchRequest<NSManagedObject>(entityName: "Nota")
      #expect(try mover.container.viewContext.count(for: request) == 5)
      #expect(try app.names("in").isEmpty && app.names("out") == ["Shared.sqlite"])
    }
  }

  @Test("a container's stack migrates in place and reads objects by class; saving a change is refused")
  func stack() throws {
    let app = try NotasApp()
    let stack = NotesStack(model: try app.model("Notas 2"), storeURL: app.shop.source)
    #expect(try stack.notes(containing: "E").map(\.orden) == [5])
    #expect(stack.loadError == nil)
    #expect(stack.countInBackground() == 5)
    try stack.saveContext()
    try stack.notes(containing: "a").first?.titulo = "nuevo"
    let error = #expect(throws: (any Error).self) { try stack.saveContext() }
    #expect((error as NSError?)?.code == NSPersistentStoreSaveError)
    #expect(try app.names("in") == ["Store.sqlite"])
    let broken = NotesStack(model: try app.model("Notas 2"), storeURL: app.url("nowhere/Store.sqlite"))
    #expect(try app.names("in") == ["Store.sqlite"])
    _ = broken.persistentContainer
    #expect(broken.loadError?.domain == NSCocoaErrorDomain)
  }

  @Test("a store is backed up while it is open, and restored")
  func backup() throws {
    let app = try NotasApp()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try app.model("Notas"))
    try coordinator.addPersistentStore(type: .sqlite, at: app.shop.source)
    let service = BackupService(coordinator: coordinator, folder: app.url("backups"))
    let copy = try service.backUp(named: "lunes")
    #expect(copy.lastPathComponent == "lunes.sqlite")
    let database = try SQLiteDatabase(app.shop.source.path, mode: .readWrite)
    try database.execute("DELETE FROM ZNOTA WHERE Z_PK > 1")
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try service.restore(from: copy)
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Nota")) == 5)
    #expect(try app.names("backups") == ["lunes.sqlite"])
  }

  @Test("metadata keep which clean-ups have run, in a closed store and in an open one")
  func stamps() throws {
    let app = try NotasApp()
    try VersionStamp.mark("duplicates", at: app.shop.source)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try app.model("Notas"))
    try coordinator.addPersistentStore(type: .sqlite, at: app.shop.source)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    try VersionStamp.mark("orphans", in: context)
    #expect(try VersionStamp.cleanups(at: app.shop.source) == ["duplicates", "orphans"])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: app.shop.source)
    #expect(metadata["MyKey"] as? String == "kept")
  }

  @Test("a test case of an app opens the result and looks at objects by their classes")
  func testCase() throws {
    let app = try NotasApp()
    let before = try Data(contentsOf: app.shop.source)
    let test = MigrationCase()
    try test.setUp(migrating: app.shop.source, with: app.bundle, in: app.url("out"))
    try test.testCountsAndValues()
    try test.testRelationships()
    try test.testNothingElse()
    test.tearDown()
    #expect(test.failures.isEmpty, "\(test.failures)")
    #expect(try Data(contentsOf: app.shop.source) == before)
  }

  @Test("a stack deletes a store of another version, and leaves it after other errors")
  func recovering() throws {
    let app = try NotasApp()
    let stack = RecoveringStack(model: try app.model("Notas 2"), storeURL: app.shop.source)
    #expect(stack.count() == 0)
    #expect(stack.log == ["incompatible"])
    let again = RecoveringStack(model: try app.model("Notas 2"), storeURL: app.shop.source)
    #expect(again.count() == 0)
    #expect(again.log.isEmpty)
    let text = app.url("in/Text.sqlite")
    try Data("texto".utf8).write(to: text)
    let broken = RecoveringStack(model: try app.model("Notas 2"), storeURL: text)
    #expect(broken.count() == -1 && broken.log == [NSCocoaErrorDomain])
    #expect(try Data(contentsOf: text) == Data("texto".utf8))
  }

  @Test("a store is compared with each version, entity by entity")
  func versions() throws {
    let app = try NotasApp()
    let report = VersionReport(bundle: app.bundle)
    #expect(try report.lines(for: app.shop.source) == ["Notas 2: differs in Categoria, Nota", "Notas: fits"])
    try StepMigrator(bundle: app.bundle).migrateStore(at: app.shop.source, toVersion: .second)
    #expect(try report.lines(for: app.shop.source) == ["Notas 2: fits", "Notas: differs in Categoria, Nota"])
  }

  @Test("links to objects find them in another context")
  func links() throws {
    let app = try NotasApp()
    func context() throws -> NSManagedObjectContext {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try app.model("Notas"))
      try coordinator.addPersistentStore(type: .sqlite, at: app.shop.source)
      let context = NSManagedObjectContext(.mainQueue)
      context.persistentStoreCoordinator = coordinator
      return context
    }
    let (first, second) = (try context(), try context())
    let nota = try #require(try first.fetch(Nota.fetchRequest()).last)
    let link = try #require(LinkResolver(context: first).link(to: nota))
    #expect(link == "x-coredata://0B6E7A52-3F5C-4B0D-9B34-0F1D2A3B4C5D/Nota/p5")
    _ = try second.fetch(Nota.fetchRequest())
    let found = LinkResolver(context: second).resolve(link, as: Nota.self)
    #expect(found?.texto == "e" && found !== nota)
    #expect(LinkResolver(context: second).resolve(link + "9", as: Nota.self) == nil)
    #expect(LinkResolver(context: second).resolve("x-coredata://other/Nota/p5", as: Nota.self) == nil)
  }

  @Test("an old store is exported without a migration")
  func exporter() throws {
    let app = try NotasApp()
    let before = try Data(contentsOf: app.shop.source)
    let exporter = try Exporter(storeURL: app.shop.source, bundle: app.bundle)
    #expect(try exporter.export("Nota") == ["5 e", "4 -", "3 c"])
    #expect(try exporter.identifiers("Nota") == ["p1", "p2", "p3", "p4", "p5"])
    #expect(try Data(contentsOf: app.shop.source) == before)
    #expect(try app.names("in") == ["Store.sqlite"])
  }

  @Test("stores are loaded and read with async and await")
  func asynchronous() async throws {
    let app = try NotasApp()
    let loader = AsyncLoader(model: try app.model("Notas"), storeURL: app.shop.source)
    try await loader.load()
    #expect(try await loader.titles() == ["a", "b", "c", "e"])
    #expect(await loader.count() == 5)
    let missing = AsyncLoader(model: try app.model("Notas"), storeURL: app.url("nowhere/Store.sqlite"))
    await #expect(throws: (any Error).self) { try await missing.load() }
  }
}
