import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@Suite("Stores with wrong tables")
struct HostileSchemaTests {
  private func sample(_ sql: String) throws -> SampleStore {
    let sample = try SampleStore(notes: 12)
    try sample.change(sql)
    return sample
  }

  private func sentence(_ sql: String) throws -> String? {
    let sample = try sample(sql)
    let error = sample.refusal()
    #expect(error?.mayGetBetter != true)
    return error?.description.replacingOccurrences(of: sample.path, with: "S")
  }

  // MARK: Missing and surplus tables and columns

  @Test("missing tables and columns are named")
  func missing() throws {
    let start = "S: the metadata say “Notes”, but the tables are of another version: "
    #expect(try sentence("DROP TABLE ZTAG") == start + "table ZTAG is missing.")
    #expect(
      try sentence("ALTER TABLE ZNOTE RENAME COLUMN ZTEXT TO ZBODY") == start + "column ZNOTE.ZTEXT is missing."
    )
    #expect(
      try sentence("DROP TABLE ZTAG; DROP TABLE Z_2TAGS") == start + "table ZTAG, table Z_2TAGS are missing.")
    #expect(
      try sentence(
        "DROP TABLE ZNOTE; CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)")
        == start
        + "column ZNOTE.ZFOLDER, column ZNOTE.Z_FOK_FOLDER, column ZNOTE.ZAT, column ZNOTE.ZTEXT and 1 more are missing."
    )
    #expect(
      try sentence("ALTER TABLE Z_2TAGS RENAME COLUMN Z_3TAGS TO Z_4TAGS") == start
        + "column Z_2TAGS.Z_3TAGS is missing.")
  }

  @Test("tables with surplus columns, another order of columns, or other upper and lower case can be read")
  func tolerated() throws {
    #expect(
      try sentence(
        """
        ALTER TABLE ZNOTE ADD COLUMN ZOLD VARCHAR; DROP TABLE ZTAG;
        CREATE TABLE ZTAG (ZLABEL VARCHAR, Z_OPT INTEGER, "Z_PK" INTEGER PRIMARY KEY, z_ent INTEGER)
        """) == nil)
  }

  @Test("unknown tables are named, with any characters in their names")
  func unknown() throws {
    #expect(
      try sentence("CREATE TABLE other (x)")
        == "S has tables that Core Data doesn't make for this model: other.")
    for name in ["a\"b", "a'b", "a;DROP TABLE ZNOTE", "a\nb", "ñ", " ", "]", "`"] {
      let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
      #expect(
        try sentence("CREATE TABLE \(quoted) (\(quoted))")
          == "S has tables that Core Data doesn't make for this model: \(name).")
    }
    #expect(try sentence("CREATE TABLE x (x)")?.hasPrefix("S has tables") == true)
    #expect(try sentence("CREATE VIRTUAL TABLE f USING fts5(x)")?.hasPrefix("S has tables that") == true)
  }

  @Test("history tables are accepted, and CloudKit's tables only if the caller accepts them")
  func frameworkTables() throws {
    #expect(
      try sentence(
        "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY);"
          + "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY)") == nil)
    let mirrored = try sample("CREATE TABLE ANSCKMETADATAENTRY (Z_PK); CREATE TABLE ANSCKRECORDMETADATA (Z_PK)")
    #expect(
      mirrored.refusal()
        == .cloudKit(path: mirrored.path, tables: ["ANSCKMETADATAENTRY", "ANSCKRECORDMETADATA"]))
    #expect(try mirrored.open(acceptsCloudKit: true).cloudKitTables.count == 2)
  }

  // MARK: Parts of the schema that would run

  @Test("triggers and views in the store don't run")
  func triggersAndViews() throws {
    #expect(
      try sentence(
        """
        CREATE TRIGGER t1 AFTER INSERT ON ZNOTE BEGIN DELETE FROM ZTAG; END;
        CREATE TRIGGER t2 AFTER UPDATE ON Z_METADATA BEGIN SELECT load_extension('/tmp/x'); END;
        CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;
        """) == nil)
  }

  @Test("a view in place of a table counts as a missing table")
  func viewAsTable() throws {
    let sql =
      "DROP TABLE ZTAG; CREATE VIEW ZTAG AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      + "SELECT count(*) AS Z_PK, 3 AS Z_ENT, 1 AS Z_OPT, 'x' AS ZLABEL FROM n"
    #expect(try sentence(sql)?.hasSuffix("table ZTAG is missing.") == true)
    #expect(
      try sentence("ALTER TABLE Z_METADATA RENAME TO M; CREATE VIEW Z_METADATA AS SELECT * FROM M")
        == "S is an SQLite database but not a Core Data store: it has no table Z_METADATA.")
  }

  @Test("virtual tables of known and unknown modules are refused, named, and not opened")
  func virtualTables() throws {
    let row = "INSERT INTO sqlite_master VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING zzz(x)')"
    #expect(try sentence(row) == "S has tables that Core Data doesn't make for this model: v.")
    #expect(
      try sentence(
        "DROP TABLE ZTAG; INSERT INTO sqlite_master VALUES ('table', 'ZTAG', 'ZTAG', 0, "
          + "'CREATE VIRTUAL TABLE ZTAG USING zzz(Z_PK)')")?.hasSuffix("for this model: ZTAG.") == true)
  }

  @Test("a generated column counts as a missing column")
  func generatedColumns() throws {
    let sql =
      "DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZLABEL VARCHAR GENERATED ALWAYS AS (hex(zeroblob(Z_ENT * 100000000))) VIRTUAL)"
    #expect(try sentence(sql)?.hasSuffix("column ZTAG.ZLABEL is missing.") == true)
  }

  @Test("slow constraints are not evaluated", .timeLimit(.minutes(10)))
  func constraints() throws {
    let slow = "CHECK (length(replace(hex(zeroblob(9000000)), '00', hex(zeroblob(20)))) > Z_PK)"
    #expect(
      try sentence(
        "PRAGMA ignore_check_constraints=ON; DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, "
          + "Z_OPT INTEGER, ZLABEL VARCHAR, \(slow)); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
          + "i < 2000) INSERT INTO ZTAG SELECT i, 3, 1, 'x' FROM n") == nil)
  }

  @Test("a store with wrong rows in sqlite_master is refused, also one with thousands of columns")
  func malformed() throws {
    #expect(
      try sentence("UPDATE sqlite_master SET sql = 'CREATE TABLE ZTAG (' WHERE name = 'ZTAG'")?.hasPrefix(
        "S is damaged")
        == true)
    let columns = (0..<2500).map { "c\($0)" }.joined(separator: ", ")
    #expect(
      try sentence("UPDATE sqlite_master SET sql = 'CREATE TABLE ZTAG (\(columns))' WHERE name = 'ZTAG'") != nil
    )
    #expect(try sentence("UPDATE sqlite_master SET rootpage = 1 WHERE name = 'ZTAG'") != nil)
    #expect(try sentence("UPDATE sqlite_master SET rootpage = 99999 WHERE name = 'ZTAG'") != nil)
    #expect(try sentence("UPDATE sqlite_master SET name = 'ZFOO' WHERE name = 'ZTAG'") != nil)
    #expect(try sentence("UPDATE sqlite_master SET name = NULL WHERE name = 'ZTAG'") != nil)
    #expect(try sentence("UPDATE sqlite_master SET type = x'00' WHERE name = 'ZTAG'") != nil)
    #expect(try sentence("UPDATE sqlite_master SET name = 'Z' || char(0) || 'TAG' WHERE name = 'ZTAG'") != nil)
  }

  @Test("an endless statement is ended by the deadline", .timeLimit(.minutes(10)))
  func deadline() throws {
    let sample = try SampleStore(notes: 1)
    let database = try SQLiteDatabase(sample.path, mode: .immutable)
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let error = #expect(throws: SQLiteError.self) {
      try database.within(seconds: 0.05) { () throws(SQLiteError) in try database.rows(endless) }
    }
    #expect(error?.isInterrupt == true)
    #expect(try database.integer("SELECT count(*) FROM ZNOTE") == 1)
  }

  @Test("the reading of an endless schema table is ended by the deadline", .timeLimit(.minutes(10)))
  func endlessSchema() throws {
    let sample = try SampleStore(notes: 1)
    try EndlessSchema.write(to: sample.path)
    let error = try #require(sample.refusal(seconds: 1))
    #expect(!error.mayGetBetter)
    #expect(
      error.description
        == "\(sample.path) is damaged: it keeps its reader busy for more than 1 s, as no sound store does.")
  }

  // MARK: Z_PRIMARYKEY

  @Test("an entity number unlike the model's is refused; missing and surplus rows and any Z_MAX are accepted")
  func primaryKeys() throws {
    #expect(
      try sentence("UPDATE Z_PRIMARYKEY SET Z_ENT = 7 WHERE Z_NAME = 'Note'")
        == "S: entity “Note” has the number 7 in Z_PRIMARYKEY where the model gives 2.")
    #expect(try sentence("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Memo' WHERE Z_NAME = 'Note'") == nil)
    #expect(try sentence("INSERT INTO Z_PRIMARYKEY VALUES (99, 'Stray', 0, 5), (16001, 'CHANGE', 0, 5)") == nil)
    for mark in ["0", "-1", "3", "NULL", "'x'", "9223372036854775807"] {
      #expect(try sentence("UPDATE Z_PRIMARYKEY SET Z_MAX = \(mark)") == nil)
    }
    #expect(try sentence("DELETE FROM Z_PRIMARYKEY") == nil)
    #expect(
      try sentence("DROP TABLE Z_PRIMARYKEY; CREATE TABLE Z_PRIMARYKEY (x)")?.contains("no such column: Z_ENT")
        == true)
  }
}
