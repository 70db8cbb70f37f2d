import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantVerification

@Suite("Rows of no entity: comparisons") struct StrayVerificationTests {
  private static func migrated() throws -> Workshop {
    let shop = try StrayShop.shop()
    _ = try shop.withoutStrays()
    return shop
  }

  private func kinds(_ shop: Workshop) throws -> [String] {
    try shop.verify().differences.map { "\($0.kind.rawValue) \($0.name ?? "") \($0.count) \($0.examples)" }
  }

  @Test("stray rows are reported as expected, with their referrers") func expected() throws {
    let shop = try Self.migrated()
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
    #expect(
      Set(verdict.expected.map { "\($0.kind.rawValue) \($0.entity) \($0.property ?? "") \($0.count)" }) == [
        "stray-rows ZFOLDER  1", "stray-rows ZITEM  1", "stray-rows ZNOTE  2", "stray-rows ZTAG  1",
        "target-gone Note folder 1", "target-gone Note item 1", "target-gone Folder own 1",
        "target-gone Note tags 3",
      ])
    #expect(verdict.source == shop.source.path && verdict.destination == shop.output.path)
    #expect(verdict.description.contains("2 rows of table “ZNOTE” that are objects of no entity."))
  }

  @Test(
    "missing or changed rows in the side store are a difference",
    arguments: [
      ("DELETE FROM ZNOTE WHERE Z_PK = 8", ["lost-stray-row ZNOTE 1 [\"8\"]"]),
      (
        "UPDATE ZTAG SET Z_ENT = 5",
        ["lost-stray-row ZTAG 1 [\"4\"]", "surplus-stray-row ZTAG 1 [\"4\"]"]
      ),
      ("DELETE FROM Z_4TAGS WHERE Z_4NOTES = 7", ["lost-stray-row Z_4TAGS 1 [\"7\"]"]),
      ("INSERT INTO ZITEM (Z_PK, Z_ENT) VALUES (1, 3)", ["surplus-stray-row ZITEM 1 [\"1\"]"]),
      (
        "DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, Z1OWN); "
          + "INSERT INTO ZTAG VALUES (4, 'tag', 1.0, 2)",
        ["lost-stray-row ZTAG 1 [\"4\"]", "surplus-stray-row ZTAG 1 [\"4\"]"]
      ),
      (
        "DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK, Z_ENT TEXT COLLATE NOCASE, Z_OPT INTEGER, Z1OWN INTEGER); "
          + "INSERT INTO ZTAG VALUES (4, 'TAG', 1, 2)",
        ["lost-stray-row ZTAG 1 [\"4\"]", "surplus-stray-row ZTAG 1 [\"4\"]"]
      ),
      (
        "ALTER TABLE Z_4TAGS RENAME TO former; CREATE TABLE Z_4TAGS AS SELECT * FROM former; DROP TABLE former; "
          + "INSERT INTO Z_4TAGS SELECT * FROM Z_4TAGS WHERE Z_4NOTES = 7",
        ["surplus-stray-row Z_4TAGS 1 [\"7\"]"]
      ),
      ("ALTER TABLE ZTAG DROP COLUMN Z1OWN", ["lost-stray-row ZTAG 1 [\"4\"]"]),
    ])
  func changed(sql: String, differences: [String]) throws {
    let shop = try Self.migrated()
    let aside = try SQLiteDatabase(StrayShop.path(shop, ".sqlite"), mode: .readWrite)
    if sql.hasPrefix("ALTER") { try aside.execute("DROP INDEX IF EXISTS ZTAG_Z1OWN_INDEX") }
    try aside.execute(sql)
    #expect(try kinds(shop) == differences)
  }

  @Test(
    "a list that differs from the source's stray rows is a difference",
    arguments: [
      ("\"Note.folder\": [\"x-coredata", "\"Note.folder\": [\"x-coredatb", "line 2"),
      ("Z_ENT is a text", "Z_ENT is odd", "line 6"), ("\n]}\n", "\n]}\n ", "line 8"), ("\n]}\n", "", "line 6"),
    ])
  func list(old: String, new: String, line: String) throws {
    let shop = try Self.migrated()
    let path = StrayShop.path(shop, ".json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacing(old, with: new)
    try #require(changed != text)
    try changed.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try kinds(shop) == ["changed-stray-list Store.quarantine-source.json 1 [\"\(line)\"]"])
    #expect(try shop.verify().description.contains("from this line on: \(line)."))
    try "{".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try kinds(shop) == ["changed-stray-list Store.quarantine-source.json 1 [\"line 1\"]"])
  }

  @Test("a long list is compared to its end", arguments: [nil, 1, 40_000, 79_999])
  func largeList(changed: Int?) throws {
    let folder = try TemporaryFolder("decant-stray-list")
    var lines = (1...80_000).map { "line \($0)" }
    try folder.write(lines.joined(separator: "\n"), to: "a")
    if let changed { lines[changed - 1] += "!" }
    try folder.write(lines.joined(separator: "\n"), to: "b")
    #expect(try StrayListComparison.firstDifference(folder.path("a"), folder.path("b")) == changed)
  }

  // MARK: The source's external files

  /// Times and link counts, which a link or a write to one of the source's files would change.
  private static func stamps(_ shop: Workshop) throws -> [String] {
    try [StrayShop.external.stray, StrayShop.external.proper].map { name in
      var status = stat()
      try #require(stat(shop.folder.path("in/.Store_SUPPORT/_EXTERNAL_DATA/\(name)"), &status) == 0)
      return "\(status.st_nlink) \(status.st_ctim.tv_sec) \(status.st_ctim.tv_nsec)"
    }
  }

  @Test("verify neither links nor changes the source's external files") func externalFiles() throws {
    let shop = try Self.migrated()
    let before = try Self.stamps(shop)
    let verdict = try shop.verify()
    #expect(verdict.isEqual && verdict.compared.files == 1, "\(verdict)")
    #expect(try Self.stamps(shop) == before)
    try shop.folder.write("other", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/\(StrayShop.external.proper)")
    #expect(try kinds(shop) == ["changed-file  1 [\"1\"]"])
  }

  private static let mappings = ["Folder", "Leaf", "Note", "Tag"].map {
    "{ source: \"\($0)\", destination: \"\($0)\" }"
  }.joined(separator: ", ")

  @Test("verify of several steps changes no external file", arguments: [["V1"], ["V2"], ["V1", "V2"]])
  func externalFilesOfSteps(mapped: [String]) throws {
    let shop = try Workshop(
      StrayShop.model, "\(StrayShop.model)\n more String?", "\(StrayShop.model)\n more String?\n last String?",
      family: "{ strayRows: \"quarantine\", path: [\"V1\", \"V2\", \"V3\"] }")
    try shop.makeStore(finally: StrayShop.spoiled, StrayShop.rows)
    for name in [StrayShop.external.stray, StrayShop.external.proper] {
      try shop.folder.write("of \(name)", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/\(name)")
    }
    for version in mapped {
      try shop.map(
        "Step\(version)", Self.mappings, further: "", source: version,
        destination: version == "V1" ? "V2" : "V3")
    }
    _ = try shop.withoutStrays()
    let before = try Self.stamps(shop)
    let verdict = try shop.verify()
    #expect(verdict.isEqual && verdict.compared.files == 1, "\(verdict)")
    #expect(try Self.stamps(shop) == before)
  }

  @Test("missing files of the quarantine are a difference") func missing() throws {
    let shop = try Self.migrated()
    try FileManager.default.removeItem(
      atPath: shop.folder.path(
        "out/.Store.quarantine-source_SUPPORT/_EXTERNAL_DATA/\(StrayShop.external.stray)"))
    #expect(try kinds(shop) == ["missing-file Store.quarantine-source.sqlite 1 []"])
    let list = StrayShop.path(shop, ".json")
    try FileManager.default.removeItem(atPath: list)
    #expect(try kinds(shop).first == "missing-quarantine Store.quarantine-source.json 1 []")
    try FileManager.default.removeItem(atPath: StrayShop.path(shop, ".sqlite"))
    #expect(try kinds(shop) == ["missing-quarantine Store.quarantine-source.sqlite 1 []"])
  }

  @Test("an existing side store is compared, whatever the family's settings say now") func otherMode() throws {
    let shop = try Self.migrated()
    try shop.folder.write("{}", to: "models/Notes/family.json5")
    #expect(try shop.verify().expected.contains { $0.kind == .strayRows })
    try SQLiteDatabase(StrayShop.path(shop, ".sqlite"), mode: .readWrite).execute("DELETE FROM ZTAG")
    #expect(try kinds(shop) == ["lost-stray-row ZTAG 1 [\"4\"]"])
  }

  @Test("a stray row in the destination is a difference") func cameAlong() throws {
    let shop = try Self.migrated()
    try SQLiteDatabase(shop.output.path, mode: .readWrite).execute(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (7, 77, 1)")
    #expect(try shop.verify().differences.contains { $0.kind == .entityNumber })
  }

  // MARK: A store at its target

  private static func current() throws -> Workshop {
    let shop = try Workshop(StrayShop.model, family: "{ strayRows: \"quarantine\" }")
    try shop.makeStore(finally: StrayShop.spoiled, StrayShop.rows)
    return shop
  }

  @Test("a store at its target keeps its stray rows, and is equal to itself") func handedOn() throws {
    let shop = try Self.current()
    let report = try Migration.run(shop.job())
    #expect(report.result == .alreadyCurrent)
    #expect(report.strayRows?.rows == 5 && report.strayRows?.store == nil)
    #expect(
      report.warnings.contains {
        $0.hasPrefix("Table ZNOTE has 2 rows") && $0.hasSuffix("they stay in the store.")
      })
    #expect(!FileManager.default.fileExists(atPath: StrayShop.path(shop, ".sqlite")))
    try FileManager.default.createDirectory(
      at: shop.output.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: shop.source, to: shop.output)
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
    #expect(verdict.expected.contains { $0.kind == .strayRows && $0.entity == "ZNOTE" && $0.count == 2 })
    try SQLiteDatabase(shop.output.path, mode: .readWrite).execute("DELETE FROM ZNOTE WHERE Z_PK = 7")
    let found = try kinds(shop)
    #expect(
      found.contains("lost-stray-row ZNOTE 1 [\"7\"]") && found.contains("lost-stray-row Z_4TAGS 1 [\"7\"]"))
  }

  @Test("the stray rows of a rewritten store are in quarantine") func rewritten() throws {
    let shop = try Self.current()
    let (report, lines) = try shop.withoutStrays(rewrite: true)
    #expect(report.result == .migrated && report.strayRows?.store == "Store.quarantine-source.sqlite")
    #expect(lines == StrayShop.lines)
    #expect(try StrayShop.asideRows(StrayShop.path(shop, ".sqlite")) == StrayShop.sourceRows(shop))
    let verdict = try shop.verify()
    #expect(verdict.isEqual, "\(verdict)")
  }

  @Test("by default a store with stray rows is refused") func refused() throws {
    let shop = try Workshop(StrayShop.model)
    try shop.makeStore(finally: StrayShop.spoiled, StrayShop.rows)
    #expect(try shop.failure().reason == .inconsistentStore)
  }
}
