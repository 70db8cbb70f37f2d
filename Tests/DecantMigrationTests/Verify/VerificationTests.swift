import DecantMapping
import DecantModel
import DecantStore
import Foundation
import KeyedArchive
import Testing

@testable import DecantMigration

/// A store of every kind of property, what a migration makes of it, and what is planted into that.
@Suite("Verification") struct VerificationTests {
  /// Folders with ordered notes, a family with ordered many-to-many tags, external data, a pair, and a set of owners.
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

  private let shop: Workshop

  init() throws {
    shop = try Workshop(Self.before, Self.after)
    try FileManager.default.createDirectory(
      at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = try SyntheticStore.write(model: shop.model("V1"), rows: 600, seed: 5, to: shop.source.path)
  }

  /// Migrates, and changes the result by plain SQL; triggers don't run.
  private func plant(_ sql: String = "") throws {
    _ = try Migration.run(shop.job())
    if !sql.isEmpty { try change(sql) }
  }

  private func change(_ sql: String) throws {
    let database = try SQLiteDatabase(shop.output.path, mode: .readWrite)
    try database.execute(sql)
    #expect(try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
  }

  private func integer(_ sql: String) throws -> Int {
    try SQLiteDatabase(shop.output.path, mode: .immutable).integer(sql)
  }

  private func kinds(_ report: Verification.Report) -> [String] {
    report.differences.map { difference in
      [
        difference.kind.rawValue,
        [difference.entity, difference.property].compactMap { $0 }.joined(separator: "."),
      ]
      .filter { !$0.isEmpty }.joined(separator: " ") + (difference.name.map { " \($0)" } ?? "")
        + " \(difference.count)"
    }
  }

  @Test func aMigratedStoreIsEqualAndTheReportSaysWhatWasCompared() throws {
    let picture = try FolderPicture(shop.source.deletingLastPathComponent())
    try plant()
    let result = try FolderPicture(shop.output.deletingLastPathComponent())
    var parts: [Verification.Progress] = []
    let report = try Verification.run(
      source: shop.source, destination: shop.output, catalogue: shop.catalogue,
      scratch: shop.folder.url.appendingPathComponent("scratch")
    ) { parts.append($0) }
    #expect(kinds(report) == [])
    #expect(report.isEqual)
    #expect(report.entities.map(\.destination) == ["Aardvark", "Catalog", "Label", "Note", "Task"])
    #expect(report.entities.map(\.sourceRows) == report.entities.map(\.destinationRows))
    #expect(report.compared.rows == 480)
    #expect(report.compared.attributes == 1 + 1 + 6 + 7)
    #expect(report.compared.pairs > 300)
    #expect(report.compared.orders == 2)
    #expect(report.compared.files > 0)
    #expect(report.expected.map(\.kind) == [.entityGone])
    #expect(report.lines().allSatisfy { $0.count <= 80 })
    #expect(report.description.hasPrefix("Equal.\nCompared: 5 entities with 480 rows, "))
    #expect(parts.map(\.done) == Array(0..<parts.count))
    #expect(parts.last.map { $0.total } == parts.count)
    #expect(try FolderPicture(shop.source.deletingLastPathComponent()) == picture)
    #expect(try FolderPicture(shop.output.deletingLastPathComponent()) == result)
  }

  @Test(arguments: [
    ("UPDATE ZNOTE SET ZBODY = ZBODY || ' ' WHERE Z_PK = 3", ["changed-value Note.body 1"]),
    ("UPDATE ZNOTE SET ZAT = ZAT + 0.001 WHERE Z_ENT = 4 AND ZAT > 0", ["changed-value Note.at "]),
    (
      "UPDATE ZNOTE SET ZWEIGHT = 8 WHERE Z_PK = (SELECT min(Z_PK) FROM ZNOTE WHERE ZWEIGHT = 7)",
      [
        "changed-value "
      ]
    ),
    ("UPDATE ZNOTE SET ZWEIGHT = '12' || ZWEIGHT || 'x' WHERE Z_PK = 5", ["changed-value "]),
    ("UPDATE ZNOTE SET ZSTATE = NULL WHERE Z_PK = 7", ["changed-value "]),
    ("UPDATE ZCATALOG SET ZTITLE = 'ñ' WHERE ZTITLE IS NULL", ["changed-value Catalog.title "]),
    (
      "UPDATE ZNOTE SET ZDATA = substr(ZDATA, 2) WHERE Z_PK = (SELECT min(Z_PK) FROM ZNOTE WHERE length(ZDATA) = 38)",
      [
        "marker "
      ]
    ),
    (
      "UPDATE ZNOTE SET ZINSIDE = substr(ZINSIDE, 2) WHERE Z_PK = (SELECT min(Z_PK) FROM ZNOTE WHERE length(ZINSIDE) > 9)",
      ["marker "]
    ),
    (
      "UPDATE ZNOTE SET ZINSIDE = x'0102' WHERE Z_PK = (SELECT min(Z_PK) FROM ZNOTE WHERE length(ZINSIDE) > 9)",
      ["changed-value "]
    ),
    ("UPDATE ZCATALOG SET Z_OPT = 9 WHERE Z_PK = 1", ["save-count Catalog 1"]),
    (
      "UPDATE ZCATALOG SET ZNUMBER = 77 WHERE Z_PK = 2",
      ["derived-value Catalog.number 1"]
    ),
    (
      "UPDATE ZNOTE SET Z_ENT = 5 WHERE Z_PK = (SELECT min(Z_PK) FROM ZNOTE WHERE Z_ENT = 4 AND Z_PK NOT IN "
        + "(SELECT ZANY FROM ZNOTE WHERE ZANY NOT NULL UNION SELECT ZNEXT FROM ZNOTE WHERE ZNEXT NOT NULL UNION SELECT "
        + "ZPREVIOUS FROM ZNOTE WHERE ZPREVIOUS NOT NULL))", ["entity-number Note 1"]
    ),
    (
      "INSERT INTO ZAARDVARK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)",
      ["high-water-mark Aardvark 1", "surplus-row Aardvark 1"]
    ),
    ("INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (41, 3, 1, 'x')", ["surplus-row Label 1"]),
    (
      "UPDATE ZNOTE SET ZFOLDER = NULL, Z_FOK_FOLDER = NULL WHERE Z_PK = (SELECT min(Z_PK) FROM ZNOTE WHERE ZFOLDER > 3)",
      ["derived-value Catalog.number 1", "lost-pair Note.folder 1"]
    ),
    (
      "UPDATE ZNOTE SET ZFOLDER = 2 WHERE Z_PK = (SELECT min(Z_PK) FROM ZNOTE WHERE ZFOLDER > 3)",
      ["derived-value Catalog.number 2", "changed-target Note.folder 1"]
    ),
    (
      "UPDATE ZNOTE SET ZANY = 1, Z4_ANY = (SELECT Z_ENT FROM ZNOTE WHERE Z_PK = 1) WHERE Z_PK = "
        + "(SELECT min(Z_PK) FROM ZNOTE WHERE ZANY IS NULL)", ["surplus-pair Note.any 1"]
    ),
    (
      "UPDATE ZNOTE SET Z4_ANY = 9 - Z4_ANY WHERE Z_PK = (SELECT min(Z_PK) FROM ZNOTE WHERE ZANY > 0)",
      [
        "entity-column Note.any 1"
      ]
    ),
    (
      "UPDATE ZNOTE SET ZNEXT = 9999, Z4_NEXT = NULL WHERE Z_PK = (SELECT min(Z_PK) FROM ZNOTE WHERE ZNEXT > 0)",
      [
        "changed-target Note.next 1", "orphan Note.next 1",
      ]
    ),
    ("DELETE FROM Z_3TASKS WHERE rowid = 3", ["lost-pair Label.tasks 1"]),
    (
      "UPDATE ZLABEL SET Z2MARKED = NULL WHERE Z_PK = (SELECT max(Z_PK) FROM ZLABEL WHERE Z2MARKED > 0)",
      [
        "lost-pair Catalog.marked 1"
      ]
    ),
    (
      "UPDATE ZLABEL SET Z2MARKED = 1 + Z2MARKED WHERE Z_PK = (SELECT max(Z_PK) FROM ZLABEL WHERE Z2MARKED = 1)",
      [
        "changed-target Catalog.marked 1"
      ]
    ),
    (
      "UPDATE Z_3TASKS SET Z_FOK_3TAGS = -Z_FOK_3TAGS WHERE Z_5TASKS = (SELECT Z_5TASKS FROM Z_3TASKS GROUP BY 1 "
        + "HAVING count(*) > 1 ORDER BY 1 LIMIT 1)", ["changed-order Task.tags 1"]
    ),
    (
      "UPDATE Z_3TASKS SET Z_FOK_5TASKS = 1 WHERE Z_3TAGS = (SELECT Z_3TAGS FROM Z_3TASKS GROUP BY 1 HAVING count(*) > 1)",
      [
        "order-key Label.tasks 1"
      ]
    ),
    ("DROP INDEX ZNOTE_ZFOLDER_INDEX", ["missing-index ZNOTE_ZFOLDER_INDEX 1"]),
    (
      "DROP INDEX Z_Label_UNIQUE_name; CREATE INDEX Z_Label_UNIQUE_name ON ZLABEL (ZNAME)",
      [
        "changed-index Z_Label_UNIQUE_name 1"
      ]
    ),
    ("CREATE INDEX mine ON ZNOTE (ZBODY)", ["surplus-index mine 1"]),
    ("DROP TABLE ZAARDVARK", ["missing-table ZAARDVARK 1"]),
    ("CREATE TABLE more (x)", ["surplus-table more 1"]),
    ("ALTER TABLE ZNOTE DROP COLUMN ZSTATE", ["missing-column ZNOTE.ZSTATE 1"]),
    ("ALTER TABLE ZNOTE ADD COLUMN ZMORE VARCHAR", ["surplus-column ZNOTE.ZMORE 1"]),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Note'", ["high-water-mark Note 1"]),
    (
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Folder' WHERE Z_ENT = 2",
      [
        "entity-table 2|Catalog|0 1", "entity-table 2|Folder|0 1",
      ]
    ),
    ("UPDATE Z_METADATA SET Z_UUID = 'X'", ["uuid 1"]),
  ])
  func aPlantedDifferenceIsFoundByName(sql: String, expected: [String]) throws {
    try plant(sql)
    let report = try shop.verify()
    let found = kinds(report)
    #expect(found.count == expected.count, "\(found)")
    for (one, other) in zip(found, expected) { #expect(one.hasPrefix(other), "\(found)") }
    #expect(!report.isEqual)
    #expect(report.differences.allSatisfy { $0.examples.count <= 5 })
    #expect(report.lines().allSatisfy { $0.count <= 80 })
  }

  @Test func aLostRowIsToldOnceAndNotAgainForItsRelationships() throws {
    try plant(
      """
      DELETE FROM ZCATALOG WHERE Z_PK = 1;
      UPDATE ZNOTE SET ZFOLDER = NULL, Z_FOK_FOLDER = NULL WHERE ZFOLDER = 1;
      UPDATE ZLABEL SET Z2MARKED = NULL WHERE Z2MARKED = 1;
      """)
    let report = try shop.verify()
    #expect(kinds(report) == ["lost-row Catalog 1"])
    #expect(report.differences.first?.examples == ["1"])
    #expect(report.description.hasPrefix("1 difference:\n- “Catalog”: 1 object lost (key 1).\n\nCompared: "))
  }

  @Test func twoChildrenThatSwappedPlacesAreAChangedOrderOfTheirOwner() throws {
    try plant()
    let owner = try integer(
      "SELECT ZFOLDER FROM ZNOTE GROUP BY 1 HAVING count(*) = 3 AND ZFOLDER > 0 ORDER BY 1 LIMIT 1")
    let keys = try SQLiteDatabase(shop.output.path, mode: .immutable).rows(
      "SELECT Z_PK, Z_FOK_FOLDER FROM ZNOTE WHERE ZFOLDER = ? ORDER BY 2", [.integer(Int64(owner))])
    let (first, last) = (keys[0], keys[2])
    guard case .integer(let one) = first[0], case .integer(let other) = last[0],
      case .integer(let low) = first[1],
      case .integer(let high) = last[1]
    else { return }
    try change(
      "UPDATE ZNOTE SET Z_FOK_FOLDER = \(high) WHERE Z_PK = \(one); UPDATE ZNOTE SET Z_FOK_FOLDER = \(low) WHERE Z_PK = \(other)"
    )
    let report = try shop.verify()
    #expect(kinds(report) == ["changed-order Catalog.notes 1"])
    #expect(report.differences[0].examples == [String(owner)])
  }

  @Test func otherOrderingKeysInTheSameOrderAreEqual() throws {
    try plant(
      "UPDATE ZNOTE SET Z_FOK_FOLDER = Z_FOK_FOLDER * 3 - 5; UPDATE Z_3TASKS SET Z_FOK_3TAGS = Z_FOK_3TAGS / 4")
    #expect(kinds(try shop.verify()) == [])
  }

  @Test func changedMetadataAreFoundByKey() throws {
    try plant()
    let store = try SourceStore(shop.output.path, scratch: shop.folder.path("x"))
    var metadata = store.metadata
    metadata.entries["Mine"] = .string("surplus")
    metadata.entries[StoreMetadata.Key.digest] = .string("wrong")
    metadata.entries[StoreMetadata.Key.checksum] = nil
    guard case .dictionary(var hashes)? = metadata.entries[StoreMetadata.Key.hashes] else { return }
    hashes["Note"] = .data(Data(repeating: 7, count: 32))
    hashes["Other"] = .data(Data(repeating: 7, count: 32))
    metadata.entries[StoreMetadata.Key.hashes] = .dictionary(hashes)
    let database = try SQLiteDatabase(shop.output.path, mode: .readWrite)
    try database.prepare("UPDATE Z_METADATA SET Z_PLIST = ?").run([
      .blob(PropertyList.dictionary(metadata.entries).binaryData())
    ])
    _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(
      kinds(try shop.verify()) == [
        "version-hash Note 1", "version-hash Other 1", "metadata-key Mine 1",
        "metadata-key NSStoreModelVersionChecksumKey 1", "metadata-key NSStoreModelVersionHashesDigest 1",
      ])
  }

  @Test func externalFilesThatAreMissingOrChangedAreFound() throws {
    try plant()
    let folder = ExternalData(store: shop.output).files
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    try FileManager.default.removeItem(atPath: folder + "/" + files[0])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + files[1]))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(fileURLWithPath: folder + "/" + files[1]))
    try FileManager.default.removeItem(atPath: ExternalData(store: shop.source).files + "/" + files[2])
    try FileManager.default.removeItem(atPath: folder + "/" + files[2])
    let report = try shop.verify()
    #expect(Set(report.differences.map(\.kind)) == [.missingFile, .changedFile])
    #expect(report.expected.contains { $0.kind == .missingFile && $0.count == 1 })
  }

  @Test func referencesToNothingAreExpectedToGoAndAreCounted() throws {
    let source = try SQLiteDatabase(shop.source.path, mode: .readWrite)
    try source.execute(
      "UPDATE ZNOTE SET ZANY = 5000 WHERE Z_PK IN (2, 3); INSERT INTO Z_4TAGS VALUES (2, 7000, 1), (8000, 1, 1)"
    )
    _ = try source.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    try plant()
    let report = try shop.verify()
    #expect(kinds(report) == [])
    let dangling = report.expected.filter { $0.kind == .dangling }
    #expect(dangling.map(\.count) == [2, 2])
    #expect(
      report.description.contains("Expected: 2 references of “Note.any” led to no object and can't be kept."))
    try change("UPDATE ZNOTE SET ZANY = 5000 WHERE Z_PK = 2")
    #expect(kinds(try shop.verify()) == ["orphan Note.any 1"])
  }

  @Test func aCopyOfAStoreIsEqualInItsOwnVersionWhateverItHolds() throws {
    let source = try SQLiteDatabase(shop.source.path, mode: .readWrite)
    try source.execute(
      "UPDATE ZNOTE SET ZANY = 5000 WHERE Z_PK = 2; UPDATE ZFOLDER SET ZNUMBER = 500 WHERE Z_PK = 1")
    _ = try source.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    try FileManager.default.createDirectory(
      at: shop.output.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: shop.source, to: shop.output)
    _ = try ExternalData(store: shop.source).copy(to: ExternalData(store: shop.output))
    let report = try shop.verify()
    #expect(kinds(report) == [])
    #expect(report.compared.rows == 600)
    try change("UPDATE ZGONE SET ZTEXT = 'other' WHERE Z_PK = 1; DELETE FROM ZTAG WHERE Z_PK = 3")
    #expect(Set(try shop.verify().differences.map(\.kind)).isSuperset(of: [.changedValue, .lostRow]))
  }

  @Test func aReportIsTheSameAfterAWayThroughJSON() throws {
    try plant(
      "DELETE FROM Z_3TASKS WHERE rowid < 20; UPDATE ZNOTE SET ZBODY = 'x' WHERE Z_PK < 9; DROP INDEX ZNOTE_ZFOLDER_INDEX"
    )
    let report = try shop.verify()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let data = try encoder.encode(report)
    #expect(try JSONDecoder().decode(Verification.Report.self, from: data) == report)
    #expect(String(decoding: data, as: UTF8.self).contains("\"kind\":\"lost-pair\""))
    let lines = report.lines()
    #expect(lines.first == "4 differences:" || lines.first == "3 differences:")
    #expect(lines.contains { $0.hasPrefix("- “Label.tasks”: 19 pairs lost (keys ") })
  }

  @Test func whatIsNoStoreIsRefused() throws {
    try plant()
    try Data("nothing".utf8).write(to: shop.output)
    #expect(throws: MigrationFailure.self) { try shop.verify() }
    try FileManager.default.removeItem(at: shop.output)
    #expect(throws: MigrationFailure.self) { try shop.verify() }
  }
}
