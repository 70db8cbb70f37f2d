import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantVerification

@Suite("Verification of persistent history and of the model cache") struct AdministrationVerificationTests {
  private let shop: Workshop

  init() throws {
    shop = try Workshop("Gone\n x String?\nNote\n a String?", "Aaa\nBbb\nNote\n a String?")
    try shop.makeStore(
      finally: HistoryTests.history
        + "UPDATE ACHANGE SET ZENTITY = 2; INSERT INTO ACHANGE VALUES (6, 16001, NULL, 0, 1, 1, 3, NULL);",
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 2, 1, 'x')")
    _ = try Migration.run(shop.job())
  }

  private func change(_ sql: String) throws {
    let database = try SQLiteDatabase(shop.output.path, mode: .readWrite)
    try database.execute(sql)
    #expect(try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
  }

  private func kinds(_ report: Verification.Report) -> [String] {
    report.differences.map { "\($0.kind.rawValue) \($0.name ?? "") \($0.count)" }
  }

  @Test func aHistoryThatIsKeptUnderNewNumbersIsEqual() throws {
    let report = try shop.verify()
    #expect(kinds(report) == [])
    #expect(
      report.expected.map { "\($0.kind.rawValue) \($0.entity) \($0.count)" } == ["history-gone ACHANGE 1"])
    #expect(
      report.description.contains(
        "Not a difference: 1 change of persistent history: the destination model doesn't"))
  }

  @Test(arguments: [
    ("DELETE FROM ACHANGE", ["lost-history ACHANGE 1"]),
    ("UPDATE ACHANGE SET ZENTITY = 2", ["lost-history ACHANGE 1", "surplus-history ACHANGE 1"]),
    (
      "UPDATE ATRANSACTION SET ZTIMESTAMP = 8",
      ["lost-history ATRANSACTION 1", "surplus-history ATRANSACTION 1"]
    ),
    ("INSERT INTO ATRANSACTION VALUES (9, 16002, NULL, 1, 1)", ["surplus-history ATRANSACTION 1"]),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 39 WHERE Z_ENT = 16001", ["high-water-mark CHANGE 1"]),
    (
      "INSERT INTO ACHANGE VALUES (41, 16001, NULL, 0, 3, 1, 3, NULL)",
      ["high-water-mark CHANGE 1", "surplus-history ACHANGE 1"]
    ),
    ("DROP TABLE ATRANSACTIONSTRING", ["missing-table ATRANSACTIONSTRING 1"]),
    ("ALTER TABLE ACHANGE DROP COLUMN ZCOLUMNS", ["missing-column ACHANGE.ZCOLUMNS 1"]),
    ("INSERT INTO Z_MODELCACHE VALUES (x'00')", ["model-cache Z_MODELCACHE 1"]),
  ])
  func aPlantedDifferenceIsFoundByName(sql: String, expected: [String]) throws {
    try change(sql)
    let report = try shop.verify()
    #expect(kinds(report) == expected)
    #expect(!report.isEqual)
    #expect(report.lines().allSatisfy { $0.count <= 80 }, "\(report)")
  }

  @Test func anEmptiedHistoryIsExpectedAndItsCountersAreNot() throws {
    try change("DELETE FROM ACHANGE; DELETE FROM ATRANSACTION; DELETE FROM ATRANSACTIONSTRING")
    let report = try shop.verify()
    #expect(kinds(report) == [])
    #expect(report.expected.map(\.kind) == [.historyEmptied])
    #expect(report.description.contains("Not a difference: persistent history is emptied; it held 2 changes."))
    try change("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT > 16000")
    #expect(
      kinds(try shop.verify()) == [
        "high-water-mark CHANGE 1", "high-water-mark TRANSACTION 1", "high-water-mark TRANSACTIONSTRING 1",
      ])
  }

  @Test func theModelCacheMustBeOfTheDestinationsVersion() throws {
    func cache(_ version: String) throws -> String {
      let content = DeflateWriter.stored(
        CompiledModelWriter.data(try shop.model(version), as: .cacheWithCopies))
      return "DELETE FROM Z_MODELCACHE; INSERT INTO Z_MODELCACHE VALUES (\(CachingStore.blob(content)))"
    }
    try change(try cache("V2"))
    #expect(kinds(try shop.verify()) == [])
    try change(try cache("V1"))
    let report = try shop.verify()
    #expect(kinds(report) == ["model-cache Z_MODELCACHE 1"])
    #expect(
      report.differences.first?.examples == ["it is of another version; these entities differ: Aaa, Bbb, Gone"])
  }
}
