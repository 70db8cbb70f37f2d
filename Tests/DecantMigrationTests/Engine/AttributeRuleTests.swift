import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantPasses

@Suite("Inferred steps: attributes and entities") struct AttributeRuleTests {
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSIZE) VALUES (1, 1, 3, 'Straße', 7), (4, 1, 1, NULL, NULL),
      (9, 1, 2, '', -1);
    """

  @Test func whenAnAttributeIsAddedItGetsItsDefaultWhetherOptionalOrNot() throws {
    let shop = try Workshop(
      """
      Note
        title String?
        size Int32?
      """,
      """
      Note
        title String?
        size Int32?
        color String = blue
        shade String? = dark
        mood String?
      """)
    try shop.makeStore(marks: ["Note": 20], Self.rows)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Note#1 color='blue' shade='dark' size=7 title='Straße'", "Note#4 color='blue' shade='dark'",
        "Note#9 color='blue' shade='dark' size=-1 title=''",
      ])
    #expect(result.losses == [])
    #expect(result.store.objects.sorted { $0.key < $1.key }.map(\.value.saves) == [3, 1, 2])
    #expect(try result.store.store.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == [[.integer(20)]])
    #expect(result.rows == ["NoteToNote 3"])
  }

  @Test func whenAnAttributeIsRemovedItsValuesAreCounted() throws {
    let shop = try Workshop("Note\n title String?\n size Int32?", "Note\n title String?")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 title='Straße'", "Note#4", "Note#9 title=''"])
    #expect(result.losses == ["attribute Note.size 2"])
  }

  @Test func whenAnAttributeIsRenamedByItsIdentifierItsValuesMove() throws {
    let shop = try Workshop(
      "Note\n title String?\n size Int32?", "Note\n name String? was title\n size Int32? was size")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 name='Straße' size=7", "Note#4", "Note#9 name='' size=-1"])
    #expect(result.losses == [])
  }

  @Test func whenTwoAttributesSwapNamesTheirValuesFollowTheIdentifiers() throws {
    let shop = try Workshop(
      "Note\n a String?\n b String?", "Note\n a String? was b\n b String? was a\n c String?")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA, ZB) VALUES (1, 1, 1, 'one', 'two')")
    #expect(try shop.migrate().lines == ["Note#1 a='two' b='one'"])
  }

  @Test func whenARenameSkipsAVersionItsHopsAreChained() throws {
    let shop = try Workshop(
      "Note\n title String?\n size Int32?", "Note\n name String? was title\n size Int32?",
      "Note\n heading String? was name\n size Int32?")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 heading='Straße' size=7", "Note#4", "Note#9 heading='' size=-1"])
    #expect(result.report.steps.count == 1)
    #expect(result.losses == [])
  }

  @Test func whenOnlyTheFamilyFileStatesRenamesTheyAreFollowed() throws {
    let versions = ["Note\n title String?\n size Int32?", "Memo\n name String?\n size Int32?"]
    let plain = try Workshop(versions)
    try plain.makeStore(Self.rows)
    let lost = try plain.migrate()
    #expect(lost.lines == [])
    #expect(lost.losses == ["entity Note 3"])
    let shop = try Workshop(
      versions,
      family: "{ renames: { entities: { Note: \"Memo\" }, properties: { \"Note.title\": \"name\" } } }")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(result.lines == ["Memo#1 name='Straße' size=7", "Memo#4", "Memo#9 name='' size=-1"])
    #expect(result.losses == [])
  }

  @Test func whenEntitiesAreAddedRemovedAndRenamedNumbersAndEntityColumnsFollow() throws {
    let shop = try Workshop(
      """
      Base
        tag -> Note.base
      Leaf < Base
      Gone
        x String?
      Note
        base -> Base.tag
      """,
      """
      Aaa
        y String?
      Root was Base
        tag -> Note.base
      Blade < Root was Leaf
      Note
        base -> Root.tag
      """)
    try shop.makeStore(
      """
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZTAG) VALUES (1, 1, 1, 11), (2, 2, 1, 12);
      INSERT INTO ZGONE (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 3, 1, 'a'), (2, 3, 1, NULL);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZBASE, Z1_BASE) VALUES (11, 4, 1, 1, 1), (12, 4, 1, 2, 2);
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Blade#2 tag=Note#12", "Note#11 base=Root#1", "Note#12 base=Blade#2", "Root#1 tag=Note#11",
      ])
    #expect(result.losses == ["entity Gone 2"])
    #expect(
      try result.store.store.rows("SELECT Z_PK, Z_ENT, ZBASE, Z3_BASE FROM ZNOTE") == [
        [.integer(11), .integer(2), .integer(1), .integer(3)],
        [.integer(12), .integer(2), .integer(2), .integer(4)],
      ])
  }

  @Test func whenOptionalBecomesRequiredNilIsFilledWithTheDefault() throws {
    let shop = try Workshop("Note\n title String?\n size Int32?", "Note\n title String = none\n size Int32 = 0")
    try shop.makeStore(Self.rows)
    #expect(
      try shop.migrate().lines == [
        "Note#1 size=7 title='Straße'", "Note#4 size=0 title='none'", "Note#9 size=-1 title=''",
      ])
  }

  @Test func whenRequiredBecomesOptionalNothingIsFilled() throws {
    let shop = try Workshop("Note\n title String\n size Int32", "Note\n title String? = x\n size Int32? = 9")
    try shop.makeStore(Self.rows)
    #expect(
      try shop.migrate().lines == ["Note#1 size=7 title='Straße'", "Note#4", "Note#9 size=-1 title=''"])
  }

  // docs/formats/core-data-sqlite.md 9.6
  @Test("a transient attribute that becomes required gets its default, as between Wire 2.66 and 2.67")
  func transientBecomesRequired() throws {
    let shop = try Workshop(
      "Note\n isDownloading Boolean transient = YES\n size Int32?",
      "Note\n isDownloading Boolean = YES\n size Int32?")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 7);")
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 isDownloading=1 size=7"])
    #expect(result.losses == [])
  }

  @Test func whenAnAttributeBecomesTransientItsValuesAreCountedAndOneThatWasStartsWithItsDefault() throws {
    let shop = try Workshop(
      "Note\n title String? transient\n size Int32?", "Note\n title String? = new\n size Int32? transient")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 7)")
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 title='new'"])
    #expect(result.losses == ["attribute Note.size 1"])
  }

  @Test func defaultsOfEveryTypeAreStoredAsTheirTypeIs() throws {
    let shop = try Workshop(
      "Note\n title String?",
      """
      Note
        title String?
        a1 String = 'it''s "quoted" & 2 < 3'
        a2 String = ''
        b1 Int16 = -32768
        b2 Int64 = 9223372036854775807
        b3 Int64 = -9223372036854775808
        c1 Bool = YES
        c2 Bool = NO
        d1 Double = 0.1
        d2 Double = -1e300
        d3 Float = 5e-324
        e1 Decimal = 10.11
        e2 Decimal = 100
        f1 Date = 0.5
        f2 Date = -978307200
        g1 UUID = 00112233-4455-6677-8899-AABBCCDDEEFF
        h1 URI = 'https://example.org/a?b=''c'''
        i1 Binary = AAECJw==
        i2 Binary external = AAE=
      """)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    #expect(
      try shop.migrate().lines == [
        "Note#1 a1='it's \"quoted\" & 2 < 3' a2='' b1=-32768 b2=9223372036854775807 b3=-9223372036854775808 c1=1 c2=0 "
          + "d1=0.1 d2=-1e+300 d3=5e-324 e1=10.11 e2=100 f1=0.5 f2=-978307200 g1=x00112233445566778899aabbccddeeff "
          + "h1='https://example.org/a?b='c'' i1=x00010227 i2=x010001"
      ])
  }

  @Test(arguments: ["a\u{0}b'c", "", "'", "\u{0}", "naïve\n\u{1F600}"])
  func aTextLiteralGivesTheTextBack(text: String) throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(folder.path("literals"), mode: .create)
    #expect(try database.rows("SELECT \(SQLLiteral.text(.string(text)))") == [[.text(text)]])
  }

  @Test func aStoreWrittenAnewInItsOwnVersionSaysTheSame() throws {
    let shop = try Workshop("Note\n title String? = x\n tags ->> Tag.notes ordered\nTag\n notes ->> Note.tags")
    try shop.makeStore(
      usesWriteAheadLog: false, marks: ["Note": 99],
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 3, 'a'), (2, 1, 1, NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS) VALUES (1, 1, 4096), (1, 2, 5), (2, 1, 2048);
      """)
    let result = try shop.migrate(rewrite: true)
    #expect(result.store.objects == result.source.objects)
    #expect(result.lines.first == "Note#1 title='a' tags=(Tag#2 Tag#1)")
    #expect(result.report.result == .migrated)
    let keys = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY"
    #expect(try result.store.store.rows(keys) == result.source.store.rows(keys))
  }

  @Test func aStoreThatIsCurrentIsLeftAloneAndTheReportSaysSo() throws {
    let shop = try Workshop("Note\n title String?")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a')")
    let before = try FolderPicture(shop.folder.url)
    let report = try Migration.run(shop.job())
    #expect(report.result == .alreadyCurrent)
    #expect(report.steps.isEmpty && report.losses.isEmpty)
    #expect(try FolderPicture(shop.folder.url) == before)
  }
}
