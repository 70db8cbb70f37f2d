import DecantSQLite
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantVerification

/// Compares a store that has every kind of property with its migrated store, in which the tests plant differences.
@Suite("Verification") struct VerificationTests {
  private let planted: PlantedStore

  init() throws { planted = try PlantedStore() }

  @Test func aMigratedStoreIsEqualAndTheReportSaysWhatWasCompared() throws {
    let picture = try FolderPicture(planted.shop.source.deletingLastPathComponent())
    try planted.plant()
    let result = try FolderPicture(planted.shop.output.deletingLastPathComponent())
    var parts: [Verification.Progress] = []
    let report = try Verification.run(
      source: planted.shop.source, destination: planted.shop.output, catalogue: planted.shop.catalogue,
      scratch: planted.shop.folder.url.appendingPathComponent("scratch")
    ) { parts.append($0) }
    #expect(planted.kinds(report) == [])
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
    #expect(try FolderPicture(planted.shop.source.deletingLastPathComponent()) == picture)
    #expect(try FolderPicture(planted.shop.output.deletingLastPathComponent()) == result)
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
    try planted.plant(sql)
    let report = try planted.shop.verify()
    let found = planted.kinds(report)
    #expect(found.count == expected.count, "\(found)")
    for (one, other) in zip(found, expected) { #expect(one.hasPrefix(other), "\(found)") }
    #expect(!report.isEqual)
    #expect(report.differences.allSatisfy { $0.examples.count <= 5 })
    #expect(report.lines().allSatisfy { $0.count <= 80 })
  }

  @Test func aLostRowIsToldOnceAndNotAgainForItsRelationships() throws {
    try planted.plant(
      """
      DELETE FROM ZCATALOG WHERE Z_PK = 1;
      UPDATE ZNOTE SET ZFOLDER = NULL, Z_FOK_FOLDER = NULL WHERE ZFOLDER = 1;
      UPDATE ZLABEL SET Z2MARKED = NULL WHERE Z2MARKED = 1;
      """)
    let report = try planted.shop.verify()
    #expect(planted.kinds(report) == ["lost-row Catalog 1"])
    #expect(report.differences.first?.examples == ["1"])
    #expect(report.description.hasPrefix("1 difference:\n- “Catalog”: 1 object lost (key 1).\n\nCompared: "))
  }

  @Test func twoChildrenThatSwappedPlacesAreAChangedOrderOfTheirOwner() throws {
    try planted.plant()
    let owner = try planted.integer(
      "SELECT ZFOLDER FROM ZNOTE GROUP BY 1 HAVING count(*) = 3 AND ZFOLDER > 0 ORDER BY 1 LIMIT 1")
    let keys = try SQLiteDatabase(planted.shop.output.path, mode: .immutable).rows(
      "SELECT Z_PK, Z_FOK_FOLDER FROM ZNOTE WHERE ZFOLDER = ? ORDER BY 2", [.integer(Int64(owner))])
    let (first, last) = (keys[0], keys[2])
    guard case .integer(let one) = first[0], case .integer(let other) = last[0],
      case .integer(let low) = first[1],
      case .integer(let high) = last[1]
    else { return }
    try planted.change(
      "UPDATE ZNOTE SET Z_FOK_FOLDER = \(high) WHERE Z_PK = \(one); UPDATE ZNOTE SET Z_FOK_FOLDER = \(low) WHERE Z_PK = \(other)"
    )
    let report = try planted.shop.verify()
    #expect(planted.kinds(report) == ["changed-order Catalog.notes 1"])
    #expect(report.differences[0].examples == [String(owner)])
  }

  @Test func otherOrderingKeysInTheSameOrderAreEqual() throws {
    try planted.plant(
      "UPDATE ZNOTE SET Z_FOK_FOLDER = Z_FOK_FOLDER * 3 - 5; UPDATE Z_3TASKS SET Z_FOK_3TAGS = Z_FOK_3TAGS / 4")
    #expect(planted.kinds(try planted.shop.verify()) == [])
  }
}
