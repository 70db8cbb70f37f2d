import DecantModel
import DecantStore
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Inferred steps: persistent history") struct HistoryTests {
  static let history = """
    CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
    CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZTIMESTAMP FLOAT );
    CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
    CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
    INSERT INTO ACHANGE VALUES (5, 16001, NULL, 0, 1, 1, 3, NULL);
    INSERT INTO ATRANSACTION VALUES (3, 16002, NULL, 1, 7.5);
    INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'app');
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 40), (16002, 'TRANSACTION', 0, 30), (16003, 'TRANSACTIONSTRING', 0, 2);
    """
  static let further =
    "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1"
  private static let row = "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')"

  private func rows(_ result: Migrated, _ table: String) throws -> [String] {
    try result.store.store.rows("SELECT * FROM \(table) ORDER BY Z_PK").map {
      $0.map(LogicalStore.text).joined(separator: " ")
    }
  }

  private func sentences(_ result: Migrated) -> [String] {
    result.report.warnings.filter { $0.hasPrefix("Persistent history is emptied") }
      + result.report.notes.filter { $0.hasPrefix("Persistent history is kept") }
  }

  private func expectEmpty(_ result: Migrated, because reason: String) throws {
    for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] { #expect(try rows(result, table) == []) }
    #expect(
      sentences(result) == ["Persistent history is emptied, because \(reason); its counters continue."])
    #expect(
      result.store.store.historyStatements.sorted() == result.source.store.historyStatements.sorted()
        && result.store.store.historyStatements.count == 5)
  }

  @Test func rowsAreKeptUnderTheNewEntityNumbersAndCountersGoOn() throws {
    let shop = try Workshop("Note\n a String?", "Aaa\nNote\n a String?")
    try shop.makeStore(finally: Self.history, Self.row)
    let result = try shop.migrate()
    #expect(try rows(result, "ACHANGE") == ["5 16001 nil 0 2 1 3 nil"])
    #expect(try rows(result, "ATRANSACTION") == ["3 16002 nil 1 7.5"])
    #expect(try rows(result, "ATRANSACTIONSTRING") == ["1 16003 nil 'app'"])
    #expect(
      sentences(result) == ["Persistent history is kept: 1 change, under the new entity numbers."])
    #expect(
      try result.store.store.rows(Self.further).map { $0.map(LogicalStore.text) } == [
        ["16001", "'CHANGE'", "0", "40"], ["16002", "'TRANSACTION'", "0", "30"],
        ["16003", "'TRANSACTIONSTRING'", "0", "2"],
      ])
  }

  @Test func aCounterBelowTheLargestKeyIsRaised() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    let low = "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 16001;"
    try shop.makeStore(finally: Self.history + low, Self.row)
    let marks = try shop.migrate().store.store.rows(Self.further).map { $0[3] }
    #expect(marks == [.integer(5), .integer(30), .integer(2)])
  }

  @Test func insertsOfAnEntityWhosePropertiesChangeStayTrue() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    try shop.makeStore(finally: Self.history, Self.row)
    #expect(try rows(try shop.migrate(), "ACHANGE") == ["5 16001 nil 0 1 1 3 nil"])
  }

  @Test func bitsOfAnEntityWhosePropertiesChangeEmptyAll() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    let update = "INSERT INTO ACHANGE VALUES (6, 16001, NULL, 1, 1, 1, 3, x'80');"
    try shop.makeStore(finally: Self.history + update, Self.row)
    try expectEmpty(
      try shop.migrate(),
      because:
        "1 change names properties of entities whose properties change, and the numbers of their properties aren't known"
    )
  }

  @Test func bitsOfAnEntityThatStaysAsItIsAreKept() throws {
    let shop = try Workshop("Note\n a String?", "Aaa\nNote\n a String?")
    let update = "INSERT INTO ACHANGE VALUES (6, 16001, NULL, 1, 1, 1, 3, x'80');"
    try shop.makeStore(finally: Self.history + update, Self.row)
    #expect(
      try rows(try shop.migrate(), "ACHANGE") == ["5 16001 nil 0 2 1 3 nil", "6 16001 nil 1 2 1 3 x80"])
  }

  @Test func bitsInAFamilyWhoseOtherMemberChangesEmptyAll() throws {
    let shop = try Workshop(
      "Note\n a String?\nLong < Note\n b String?", "Note\n a String?\nLong < Note\n b String?\n c String?")
    let update = "INSERT INTO ACHANGE VALUES (6, 16001, NULL, 1, 1, 1, 3, x'80');"
    try shop.makeStore(finally: Self.history + update, Self.row)
    #expect(try rows(try shop.migrate(), "ACHANGE") == [])
  }

  @Test func changesOfEntitiesThatAreGoneAreLeftOutAndCounted() throws {
    let shop = try Workshop(
      "Gone\n x String?\nNote\n a String?", "Note\n a String?")
    try shop.makeStore(
      finally: Self.history
        + "INSERT INTO ACHANGE VALUES (6, 16001, NULL, 1, 2, 1, 3, x'80'), (7, 16001, NULL, 0, NULL, 1, 3, NULL);",
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 2, 1, 'x')")
    let result = try shop.migrate()
    #expect(try rows(result, "ACHANGE") == ["6 16001 nil 1 1 1 3 x80"])
    #expect(
      sentences(result) == [
        "Persistent history is kept: 1 change, under the new entity numbers; 2 changes of removed entities are "
          + "left out."
      ])
    #expect(try rows(result, "ATRANSACTION").count == 1)
  }

  @Test func changesOfNothingButGoneEntitiesEmptyAll() throws {
    let shop = try Workshop(
      "Gone\n x String?\nNote\n a String?", "Note\n a String?")
    try shop.makeStore(
      finally: Self.history, "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 2, 1, 'x')")
    try expectEmpty(try shop.migrate(), because: "all of its changes are of removed entities")
  }

  @Test func tablesOfAnotherMakeAreEmptied() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    let other = Self.history.replacing("ACHANGE ( Z_PK INTEGER PRIMARY KEY", with: "ACHANGE ( Z_PK INTEGER")
    try shop.makeStore(finally: other, Self.row)
    try expectEmpty(try shop.migrate(), because: "its tables differ from the framework's")
  }

  @Test func columnsThatDependOnTheModelAreKeptWithTheModelAlone() throws {
    let more = Self.history.replacing("ZCOLUMNS BLOB )", with: "ZCOLUMNS BLOB, ZTOMBSTONE0 VARCHAR )")
      .replacing("3, NULL)", with: "3, NULL, 'gone')")
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    try shop.makeStore(finally: more, Self.row)
    try expectEmpty(
      try shop.migrate(), because: "its columns ZTOMBSTONE0 depend on the model, which changes")
    let same = try Workshop("Note\n a String?")
    try same.makeStore(finally: more, Self.row)
    #expect(try rows(try same.migrate(rewrite: true), "ACHANGE") == ["5 16001 nil 0 1 1 3 nil 'gone'"])
  }

  @Test func aChainKeepsThemThroughEachStep() throws {
    let shop = try Workshop(
      "Note\n a String?\n size String?", "Aaa\nNote\n a String?", "Aaa\nBbb\nNote\n a String?\n size Int16?")
    try shop.makeStore(finally: Self.history, Self.row)
    let result = try shop.migrate()
    #expect(result.report.steps.count == 2)
    #expect(try rows(result, "ACHANGE") == ["5 16001 nil 0 3 1 3 nil"])
    #expect(
      sentences(result) == ["Persistent history is kept: 1 change, under the new entity numbers."])
  }

  @Test func aLaterStepThatCantKeepThemEmptiesThemInTheFirstAndThePlanSaysSo() throws {
    let shop = try Workshop(
      "Note\n a String?\nOther\n size String?", "Aaa\nNote\n a String?\nOther",
      "Aaa\nNote\n a String?\n b String?\nOther\n size Int16?")
    let update = "INSERT INTO ACHANGE VALUES (6, 16001, NULL, 1, 1, 1, 3, x'80');"
    try shop.makeStore(finally: Self.history + update, Self.row)
    let plan = try Migration.plan(shop.job())
    #expect(plan.steps.count == 2)
    let result = try shop.migrate()
    try expectEmpty(
      result,
      because:
        "1 change names properties of entities whose properties change, and the numbers of their properties aren't known"
    )
    #expect(plan.warnings.filter { $0.hasPrefix("Persistent history") } == sentences(result))
    #expect(
      try result.store.store.rows(Self.further).map { $0[3] } == [.integer(40), .integer(30), .integer(2)])
  }

  @Test func changesThatEachStepLeavesOutAreCountedTogether() throws {
    let shop = try Workshop(
      "Gone\n x String?\nNote\n a String?\n size String?\nPast\n x String?",
      "Note\n a String?\nPast\n x String?", "Note\n a String?\n size Int16?")
    try shop.makeStore(
      finally: Self.history
        + "INSERT INTO ACHANGE VALUES (6, 16001, NULL, 0, 2, 1, 3, NULL), (7, 16001, NULL, 0, 3, 1, 3, NULL);",
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 2, 1, 'x')")
    let result = try shop.migrate()
    #expect(result.report.steps.count == 2)
    #expect(try rows(result, "ACHANGE") == ["6 16001 nil 0 1 1 3 nil"])
    #expect(
      sentences(result) == [
        "Persistent history is kept: 1 change, under the new entity numbers; 2 changes of removed entities are "
          + "left out."
      ])
  }

  @Test func emptyTablesNeedNoSentence() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    let empty = "DELETE FROM ACHANGE; DELETE FROM ATRANSACTION; DELETE FROM ATRANSACTIONSTRING;"
    try shop.makeStore(finally: Self.history + empty, Self.row)
    let result = try shop.migrate()
    #expect(sentences(result) == [])
    #expect(result.store.store.historyTables.count == 3)
  }

  @Test func aRunThatStopsAfterEachChunkComesToTheSame() throws {
    let shop = try Workshop("Note\n a String?", "Aaa\nNote\n a String?")
    let many = """
      WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
        INSERT INTO ACHANGE SELECT i, 16001, NULL, 0, 1, 1, 3, NULL FROM n;
      """
    try shop.makeStore(finally: Self.history + many, Self.row)
    var runs = 0
    while runs < 100 {
      runs += 1
      let asked = Asked()
      do {
        let report = try Migration.run(shop.job(chunkSize: 7), shouldStop: { asked.count() > 1 })
        let result = try shop.finished(report)
        #expect(try rows(result, "ACHANGE").count == 46)
        #expect(report.steps[0].resumedChunks > 5)
        break
      } catch let failure as MigrationFailure {
        try #require(failure.disposition == .stopped)
      }
    }
    #expect(runs > 5 && runs < 100)
  }

  /// `@unchecked Sendable`: only one run uses this object, with one call at a time.
  private final class Asked: @unchecked Sendable {
    private var number = 0

    func count() -> Int {
      number += 1
      return number
    }
  }
}
