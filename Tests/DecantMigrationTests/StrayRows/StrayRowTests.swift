import DecantCatalogue
import DecantPolicies
import DecantSQLite
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Rows of no entity: quarantined and migrated rows") struct StrayRowTests {
  private static let list = [
    "ZFOLDER#3 - nil: Z_ENT is NULL < Folder.own=Tag/p2 Note.folder=Note/p3",
    "ZITEM#3 Item 2: entity “Item” is abstract < Note.item=Note/p2",
    "ZNOTE#7 - 77: no entity has the number 77",
    "ZNOTE#8 Folder 1: entity “Folder” has another table",
    "ZTAG#4 - 'tag': Z_ENT is a text",
  ]
  private static let warnings = [
    "Table ZFOLDER has 1 row that belongs to none of its entities (Z_ENT is NULL: 1 row); it goes to quarantine.",
    "Table ZITEM has 1 row that belongs to none of its entities (entity “Item” is abstract: 1 row); it goes to "
      + "quarantine.",
    "Table ZNOTE has 2 rows that belong to none of its entities (entity “Folder” has another table: 1 row; no entity "
      + "has the number 77: 1 row); they go to quarantine.",
    "Table ZTAG has 1 row that belongs to none of its entities (Z_ENT is a text: 1 row); it goes to quarantine.",
    "1 object has a relationship “Note.folder” with a row that goes to quarantine; the relationship "
      + "is nil in the new store.",
    "1 object has a relationship “Note.item” with a row that goes to quarantine; the relationship "
      + "is nil in the new store.",
    "1 object has a relationship “Folder.own” with a row that goes to quarantine; the relationship "
      + "is nil in the new store.",
    "3 pairs of “Note.tags” have rows that go to quarantine; the pairs go there too.",
  ]

  private func check(_ shop: Workshop, _ report: MigrationReport) throws {
    #expect(try StrayShop.asideRows(StrayShop.path(shop, ".sqlite")) == StrayShop.sourceRows(shop))
    #expect(try StrayEntry.lines(shop) == Self.list)
    let strays = try #require(report.strayRows)
    #expect(strays.store == "Store.quarantine-source.sqlite" && strays.list == "Store.quarantine-source.json")
    #expect(strays.rows == 5)
    #expect(strays.tables.map { "\($0.table) \($0.rows)" } == ["ZFOLDER 1", "ZITEM 1", "ZNOTE 2", "ZTAG 1"])
    #expect(report.warnings.filter { $0.contains("quarantine") } == Self.warnings)
    // There are no dangling references to remove later.
    #expect(!report.warnings.contains { $0.contains("missing object") })
    let files = shop.folder.path("out/.Store.quarantine-source_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files) == [StrayShop.external.stray])
    let whole = shop.folder.path("out/.Store_SUPPORT/_EXTERNAL_DATA")
    #expect(try FileManager.default.contentsOfDirectory(atPath: whole).count == 2)
  }

  @Test("an inferred step migrates the objects and leaves out the stray rows", arguments: [nil, 1, 2])
  func inferred(chunkSize: Int?) throws {
    let shop = try StrayShop.shop()
    let plan = try Migration.plan(shop.job())
    #expect(plan.warnings.filter { $0.contains("quarantine") } == Self.warnings)
    #expect(plan.strayRows?.rows == 5 && plan.strayRows?.store == nil)
    #expect(plan.rows == 8 && plan.losses.isEmpty)
    try FileManager.default.removeItem(at: shop.work)
    let (report, lines) = try shop.withoutStrays(chunkSize: chunkSize)
    #expect(lines == StrayShop.lines)
    #expect(report.losses.isEmpty)
    #expect(
      report.steps[0].entities.map { "\($0.entityMapping) \($0.source) \($0.made)" }
        == ["FolderToFolder 2 2", "LeafToLeaf 1 1", "NoteToNote 3 3", "TagToTag 2 2"])
    try check(shop, report)
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
  }

  @Test("stray rows of one store don't affect the next store in the same process") func shelf() throws {
    let shelf = CatalogueShelf()
    for finally in [StrayShop.spoiled, "DELETE FROM ZITEM WHERE Z_PK = 3", StrayShop.spoiled] {
      let shop = try StrayShop.shop(finally: finally)
      var job = shop.job()
      job.shelf = shelf
      let report = try Migration.run(job)
      let lines = try shop.read(shop.output, "V2").lines
      if finally == StrayShop.spoiled {
        #expect(lines == StrayShop.lines)
        try check(shop, report)
      } else {
        #expect(lines.count == 12 && report.strayRows == nil)
      }
    }
  }

  private static let mappings = """
    { source: "Folder", destination: "Folder" }, { source: "Leaf", destination: "Leaf" },
    { source: "Note", destination: "Note", attributes: { text: "$source.text" } }, { source: "Tag", destination: "Tag" }
    """

  @Test("mapping models see no stray rows, over sets and row by row", arguments: [false, true], [nil, 1])
  func mapped(byRows: Bool, chunkSize: Int?) throws {
    let shop = try StrayShop.shop()
    try shop.map("Step", Self.mappings, further: "")
    var job = shop.job(chunkSize: chunkSize)
    job.goesByRows = byRows
    let report = try Migration.run(job)
    #expect(try shop.read(shop.output, "V2").lines == StrayShop.lines)
    #expect(
      report.steps[0].entities.map { "\($0.entityMapping) \($0.source) \($0.made)" }
        == ["FolderToFolder 2 2", "LeafToLeaf 1 1", "NoteToNote 3 3", "TagToTag 2 2"])
    try check(shop, report)
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
  }

  /// Records the source objects that it sees through relationships.
  final class SeeingPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
      let folder = sInstance.value(forKey: "folder") as? ManagedObject
      let tags = sInstance.mutableSetValue(forKey: "tags").count
      made.first?.setValue(
        "\((folder?.value(forKey: "name") as? String) ?? "-") \(tags)", forKey: "seen")
    }
  }

  @Test("neither a policy nor an expression sees stray rows through relationships")
  func unseen() throws {
    let after = StrayShop.model.replacing("text String?", with: "text String?\n seen String?\n count Int32?")
    var shop = try StrayShop.shop(after)
    shop.policies.add(SeeingPolicy.self)
    let mappings = Self.mappings.replacing(
      "attributes: {", with: "policy: \"SeeingPolicy\", attributes: { count: \"$source.tags.@count\",")
    try shop.map("Step", mappings, further: "")
    let report = try Migration.run(shop.job())
    let notes = try shop.read(shop.output, "V2").lines.filter { $0.hasPrefix("Note") }
    #expect(notes.map { $0.contains("count=1") } == [true, true, false], "\(notes)")
    #expect(
      notes[0].contains("seen='in 1'") && notes[1].contains("seen='in 1'") && notes[2].contains("seen='- 0'"))
    try check(shop, report)
  }

  @Test("by default a store with stray rows is refused, and the advice names the setting")
  func refused() throws {
    for family in ["{}", "{ strayRows: \"refuse\" }"] {
      let shop = try StrayShop.shop(family: family)
      let failure = try shop.failure()
      #expect(failure.reason == .inconsistentStore)
      #expect(failure.advice.contains("strayRows: \"quarantine\""), "\(failure.advice)")
      #expect(!FileManager.default.fileExists(atPath: StrayShop.path(shop, ".sqlite")))
      #expect(
        #expect(throws: MigrationFailure.self) { try Migration.plan(shop.job()) }?.reason == failure.reason)
    }
  }

  @Test(
    "the refusal describes the fault of the entity number",
    arguments: [
      ("NULL", "has 1 row without an entity number (Z_ENT is NULL)."),
      ("'tag'", "has 1 row without an entity number (Z_ENT is a text)."),
      ("77", "has 1 row of entity number 77, which does not belong there (no entity has the number 77)."),
      ("4", "has 1 row of entity number 4, which does not belong there (entity “Note” has another table)."),
    ])
  func refusal(number: String, words: String) throws {
    let shop = try StrayShop.shop(
      family: "{}",
      finally: "DELETE FROM ZITEM WHERE Z_PK = 3; UPDATE ZTAG SET Z_ENT = \(number) WHERE Z_PK = 4")
    let message = try shop.failure().message
    #expect(message.hasSuffix(": table ZTAG \(words)"), "\(message)")
  }

  @Test("a key below 1 is refused, both of an object and of a stray row", arguments: [1, 7])
  func strayKeys(key: Int) throws {
    let shop = try StrayShop.shop(finally: StrayShop.spoiled + "UPDATE ZNOTE SET Z_PK = -3 WHERE Z_PK = \(key)")
    let failure = try shop.failure()
    #expect(failure.message.contains("Z_PK"), "\(failure.message)")
    #expect(!failure.advice.contains("strayRows"))
    #expect(!FileManager.default.fileExists(atPath: StrayShop.path(shop, ".sqlite")))
  }

  @Test("a store without stray rows is read directly, and has no quarantine")
  func none() throws {
    let shop = try StrayShop.shop(finally: "DELETE FROM ZITEM WHERE Z_PK = 3")
    let (report, _) = try shop.withoutStrays()
    #expect(report.strayRows == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.folder.path("out")).sorted()
        == [".Store_SUPPORT", "Store.sqlite"])
  }

  @Test("a -wal that adds stray rows is taken for the -wal of another store")
  func foreignLog() throws {
    let shop = try StrayShop.shop(finally: "DELETE FROM ZITEM WHERE Z_PK = 3")
    let open = try SQLiteDatabase(shop.source.path, mode: .readWrite)
    _ = try open.rows("PRAGMA journal_mode=WAL")
    try open.execute("UPDATE ZTAG SET Z_ENT = 9 WHERE Z_PK = 2")
    #expect(try shop.failure().reason == .foreignWal)
    withExtendedLifetime(open) {}
  }

  @Test("stray rows of a store with a -wal go to quarantine with the values of the -wal")
  func log() throws {
    let shop = try StrayShop.shop()
    let open = try SQLiteDatabase(shop.source.path, mode: .readWrite)
    _ = try open.rows("PRAGMA journal_mode=WAL")
    try open.execute("UPDATE ZTAG SET Z_OPT = 9 WHERE Z_PK = 4")
    _ = try Migration.run(shop.job())
    #expect(try shop.read(shop.output, "V2").lines == StrayShop.lines)
    let tag = try StrayShop.asideRows(StrayShop.path(shop, ".sqlite")).filter { $0.hasPrefix("ZTAG") }
    #expect(tag == ["ZTAG 4 'tag' 9 2"])
    withExtendedLifetime(open) {}
  }

  @Test("new objects don't get the keys of stray rows") func marks() throws {
    let shop = try StrayShop.shop(
      finally: StrayShop.spoiled
        + "UPDATE ZNOTE SET Z_PK = 900 WHERE Z_PK = 7; UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_NAME = 'Note'")
    _ = try shop.withoutStrays()
    let mark = try SQLiteDatabase(shop.output.path, mode: .immutable).integer(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'")
    #expect(mark == 900)
    #expect(try shop.verify().isEqual)
  }

  @Test("if the target of a required relationship is a stray row, the object breaks the rule")
  func required() throws {
    let after = StrayShop.model.replacing("folder -> Folder.notes", with: "folder -> Folder.notes required")
    for (mode, reason) in [("fail", FailureReason.invalidObjects), ("report", nil)] {
      let shop = try StrayShop.shop(after, family: "{ strayRows: \"quarantine\", validation: \"\(mode)\" }")
      if let reason {
        #expect(try shop.failure().reason == reason)
        #expect(!FileManager.default.fileExists(atPath: StrayShop.path(shop, ".sqlite")))
      } else {
        #expect(
          try shop.withoutStrays().report.warnings.contains { $0.contains("folder") && $0.contains("1 object") }
        )
      }
    }
    let shop = try StrayShop.shop(after, family: "{ strayRows: \"quarantine\", validation: \"quarantine\" }")
    let (report, lines) = try shop.withoutStrays()
    #expect(report.steps[0].quarantine?.objects == 1 && report.strayRows?.rows == 5)
    #expect(!lines.contains { $0.hasPrefix("Note#3") })
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
  }

  @Test("a migration of several steps has one quarantine, with the source's stray rows")
  func chain() throws {
    let shop = try Workshop(
      // Because of the default value in V2, the two steps can't become one.
      StrayShop.model, "\(StrayShop.model)\n more String = 'a'",
      "\(StrayShop.model)\n more String?\n last String?",
      family: "{ strayRows: \"quarantine\", path: [\"V1\", \"V2\", \"V3\"] }")
    try shop.makeStore(finally: StrayShop.spoiled, StrayShop.rows)
    let (report, lines) = try shop.withoutStrays()
    #expect(report.steps.count == 2 && report.strayRows?.rows == 5)
    #expect(lines.map { $0.replacing(" more='a'", with: "") } == StrayShop.lines)
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
  }

  @Test("if there are many different entity numbers, the message sums them up")
  func manyKinds() throws {
    let shop = try Workshop(
      "Note\n text String?", "Note\n text String?\n more String?", family: "{ strayRows: \"quarantine\" }")
    try shop.makeStore(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
        + "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) SELECT i, i, 1, 't' FROM n")
    let (report, lines) = try shop.withoutStrays()
    #expect(lines == ["Note#1 text='t'"])
    #expect(
      report.warnings.contains {
        $0.hasPrefix("Table ZNOTE has 2,999 rows") && $0.contains("; others: 2,994 rows)")
      })
    #expect(try StrayEntry.lines(shop).count == 2999)
  }
}
