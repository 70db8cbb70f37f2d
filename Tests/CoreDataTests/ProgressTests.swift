import CoreData
import Foundation
import Testing

@testable import PolicyShapes

@Suite("The progress of a migration that a program runs") struct ProgressTests {
  private func parts(
    _ shop: AgendaShop
  ) throws -> (source: NSManagedObjectModel, destination: NSManagedObjectModel, mapping: NSMappingModel) {
    let source = try #require(NSManagedObjectModel(contentsOf: shop.file(2)))
    let destination = try #require(NSManagedObjectModel(contentsOf: shop.file(3)))
    return (
      source, destination,
      try #require(
        NSMappingModel(from: [try shop.bundle()], forSourceModel: source, destinationModel: destination))
    )
  }

  @Test("a closure runs while a progress is the thread's current one, and its value or error comes back")
  func performing() {
    struct Failure: Error {}
    let progress = Progress(totalUnitCount: 4)
    let value = progress.performAsCurrent(withPendingUnitCount: 3) {
      #expect(Progress.current() === progress)
      let child = Progress(totalUnitCount: 10)
      child.completedUnitCount = 10
      return 5
    }
    #expect(value == 5 && progress.fractionCompleted == 0.75 && Progress.current() == nil)
    #expect(throws: Failure.self) {
      try progress.performAsCurrent(withPendingUnitCount: 1) { () throws -> Void in throw Failure() }
    }
    #expect(Progress.current() == nil)
  }

  @Test("migrationProgress and currentEntityMapping are observed with closures, until invalidate()")
  func observing() throws {
    let shop = try AgendaShop(store: 2)
    let parts = try parts(shop)
    let migrator = ObservingMigrator()
    try migrator.migrate(
      shop.source, from: parts.source, to: parts.destination, with: parts.mapping, output: shop.output)
    #expect(migrator.values.first == 0)
    #expect(migrator.values.last == 1)
    #expect(migrator.values == migrator.values.sorted())
    #expect(migrator.mappings.contains("ContactoToContacto"))
    let count = migrator.values.count
    let manager = NSMigrationManager(sourceModel: parts.source, destinationModel: parts.destination)
    let token = manager.observe(\.migrationProgress, options: [.old, .new]) { _, _ in
      Issue.record("called after invalidate()")
    }
    token.invalidate()
    token.invalidate()
    try manager.migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: parts.mapping,
      toDestinationURL: shop.folder.url.appendingPathComponent("other.sqlite"),
      destinationType: NSSQLiteStoreType, destinationOptions: nil)
    #expect(migrator.values.count == count)
  }

  @Test("an app's subclass of NSMigrationManager is observed, and the policy changes its state")
  func subclass() throws {
    let shop = try AgendaShop(policy: "App.SkippingPolicy", store: 2)
    let parts = try parts(shop)
    let manager = SubclassedManager(sourceModel: parts.source, destinationModel: parts.destination)
    var told: [Float] = []
    manager.report = { told.append($0) }
    manager.start()
    try manager.migrateStore(
      from: shop.source, sourceType: NSSQLiteStoreType, options: nil, with: parts.mapping,
      toDestinationURL: shop.output, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    #expect(told.last == 1)
    #expect(manager.skipped == 1)
    #expect(try shop.lines() == ["contacto edad=30 nombre=Ana", "contacto edad=31 nombre=ana"])
  }

  @Test("the current progress follows the migration from 0 to 1")
  func current() throws {
    let shop = try AgendaShop(store: 2)
    let parts = try parts(shop)
    let migrator = ProgressMigrator()
    let manager = NSMigrationManager(sourceModel: parts.source, destinationModel: parts.destination)
    var seen: [Double] = []
    manager.progressHandler = { _ in seen.append(migrator.progress.fractionCompleted) }
    #expect(try migrator.migrate(shop.source, with: manager, mapping: parts.mapping, output: shop.output))
    #expect(migrator.progress.fractionCompleted == 1)
    #expect(seen.first == 0 && seen.last == 1)
    #expect(try shop.lines().count == 6)
  }

  @Test(
    "cancelling the progress before or during a migration ends the migration, and no files are left",
    arguments: [0, 1])
  func cancelled(during: Int) throws {
    let shop = try AgendaShop(store: 2)
    let parts = try parts(shop)
    let migrator = ProgressMigrator()
    let manager = NSMigrationManager(sourceModel: parts.source, destinationModel: parts.destination)
    if during == 1 {
      manager.progressHandler = { _ in migrator.progress.cancel() }
    } else {
      migrator.progress.cancel()
    }
    #expect(try !migrator.migrate(shop.source, with: manager, mapping: parts.mapping, output: shop.output))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.output.deletingLastPathComponent().path) == [])
    manager.progressHandler = nil
  }
}
