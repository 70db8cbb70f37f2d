import DecantModel
import DecantSQLite
import DecantSynthesis
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantVerification

/// A store with every kind of property, and its migrated store, for planting differences.
struct PlantedStore {
  /// The source model has ordered and many-to-many relationships, a one-to-one relationship, a subentity and external
  /// data.
  static let before = """
    Folder
      title String?
      number Int64? derived 'notes.@count'
      notes ->> Note.folder ordered
      marked ->> Tag
    Note
      text String
      weight Int16?
      at Date?
      data Binary? external
      inside Binary?
      folder -> Folder.notes
      next -> Note.previous
      previous -> Note.next
      any -> Note
    Task < Note
      done Bool?
      tags ->> Tag.tasks ordered
    Tag
      name String
      tasks ->> Task.tags
      unique name
    Gone
      text String?
      note -> Note
    """
  static let after = """
    Aardvark
      text String?
    Catalog was Folder
      title String?
      number Int64? derived 'notes.@count'
      notes ->> Note.folder ordered
      marked ->> Label
    Note
      body String was text
      weight Int32 = 7
      at Date?
      data Binary? external
      inside Binary? external
      state String? = 'new'
      folder -> Catalog.notes
      next -> Note.previous
      previous -> Note.next
      any -> Note
    Task < Note
      done Bool?
      tags ->> Label.tasks ordered
    Label was Tag
      name String
      tasks ->> Task.tags ordered
      unique name
    """

  let shop: Workshop

  init() throws {
    shop = try Workshop(Self.before, Self.after)
    try FileManager.default.createDirectory(
      at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = try SyntheticStore.write(model: shop.model("V1"), rows: 600, seed: 5, to: shop.source.path)
  }

  /// Migrates, and changes the result by plain SQL, without triggers.
  func plant(_ sql: String = "") throws {
    _ = try Migration.run(shop.job())
    if !sql.isEmpty { try change(sql) }
  }

  func change(_ sql: String) throws {
    let database = try SQLiteDatabase(shop.output.path, mode: .readWrite)
    try database.execute(sql)
    #expect(try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
  }

  func integer(_ sql: String) throws -> Int {
    try SQLiteDatabase(shop.output.path, mode: .immutable).integer(sql)
  }

  func kinds(_ report: Verification.Report) -> [String] {
    report.differences.map { difference in
      [
        difference.kind.rawValue,
        [difference.entity, difference.property].compactMap { $0 }.joined(separator: "."),
      ]
      .filter { !$0.isEmpty }.joined(separator: " ") + (difference.name.map { " \($0)" } ?? "")
        + " \(difference.count)"
    }
  }
}
