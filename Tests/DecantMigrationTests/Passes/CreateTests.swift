import DecantStore
import Foundation
import Testing

@testable import DecantMigration

@Suite("Mapping models: objects and values") struct CreateTests {
  private static let notes = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE, ZAT) VALUES (2, 1, 5, 'a', 1, 60.5), (3, 1, 1, 'bb', NULL, NULL),
      (7, 1, 1, NULL, 3, 0), (9, 1, 1, 'dd', 40, -1);
    """
  private static let note = "Note\n text String?\n size Int32?\n at Date?"

  @Test("entity mappings copy, transform, add and remove objects in one pass")
  func copiesTransformsAddsAndRemovesEachDoTheirOwn() throws {
    let shop = try Workshop(
      "Note\n text String?\nMemo\n words String?\nGone\n x String?",
      "Note\n text String?\n more String? = new\nLetter\n body String?\nFresh\n y String?")
    try shop.map(
      """
      { source: "Note", destination: "Note" },
      { source: "Memo", destination: "Letter", attributes: { body: "$source.words" } },
      { add: "Fresh" }, { remove: "Gone" },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (4, 3, 9, 'a'), (5, 3, 1, NULL);
      INSERT INTO ZMEMO (Z_PK, Z_ENT, Z_OPT, ZWORDS) VALUES (1, 2, 1, 'w');
      INSERT INTO ZGONE (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'x');
      """)
    let result = try shop.migrate()
    #expect(result.lines == ["Letter#1 body='w'", "Note#4 more='new' text='a'", "Note#5 more='new'"])
    #expect(result.accounts == ["NoteToNote 2 = 2 + 0", "MemoToLetter 1 = 1 + 0"])
    #expect(result.report.steps[0].passes == ["Step"])
    #expect(result.store.objects.values.allSatisfy { $0.saves == 1 })
  }

  @Test func aFilterKeepsRowsBackAndTheyAreCounted() throws {
    let shop = try Workshop(Self.note, "Note\n text String?")
    try shop.map("{ source: \"Note\", destination: \"Note\", filter: \"#size > 1 OR text == 'a'\" }")
    try shop.makeStore(Self.notes)
    let result = try shop.migrate()
    #expect(result.lines == ["Note#2 text='a'", "Note#7", "Note#9 text='dd'"])
    #expect(result.accounts == ["NoteToNote 4 = 3 + 1"])
  }

  @Test func anEntityThatIsRemovedByNameStaysBehind() throws {
    let shop = try Workshop("A\n x String?\nB\n y String?", "A\n x String?\nB\n y String?\n z String?")
    try shop.map("{ source: \"A\", destination: \"A\" }, { remove: \"B\" }")
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'x');
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZY) VALUES (1, 2, 1, 'y');
      """)
    #expect(try shop.lines() == ["A#1 x='x'"])
  }

  @Test func expressionsGiveConstantsArithmeticPathsAndNil() throws {
    let shop = try Workshop(
      "Note\n text String?\n size Int32?\n at Date?\n tag -> Tag.notes\nTag\n name String?\n notes ->> Note.tag",
      """
      Note
        body String?
        kind String? = none
        twice Int64?
        seconds Double?
        tagName String?
        tags Int16?
        empty String? = full
        isLong Bool?
      """)
    try shop.map(
      """
      { source: "Note", destination: "Note", attributes: { body: "$source.text", kind: "'memo'",
        twice: "$source.size * 2", seconds: "CAST($source.at, 'NSNumber')", tagName: "$source.tag.name",
        tags: "$source.tag.notes.@count", empty: "nil", isLong: "TERNARY($source.size > 2, YES, NO)" } },
      { remove: "Tag" },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE, ZAT, ZTAG) VALUES (1, 1, 1, 'a', 4, 60.5, 2),
        (2, 1, 1, NULL, NULL, NULL, 2), (3, 1, 1, 'c', 1, 0, NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 2, 1, 't');
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Note#1 body='a' isLong=1 kind='memo' seconds=60.5 tagName='t' tags=2 twice=8",
        "Note#2 isLong=0 kind='memo' tagName='t' tags=2",
        "Note#3 body='c' isLong=0 kind='memo' seconds=0.0 twice=2",
      ])
  }

  @Test func aPropertyWithoutARowOrWithANullRowKeepsItsDefaultAndNilStaysNil() throws {
    let shop = try Workshop(
      "Note\n text String?\n mark Int16?",
      "Note\n text String? = empty\n mark Int16? = 5\n fresh Int16? = 7\n none String?")
    try shop.map("{ source: \"Note\", destination: \"Note\", attributes: { mark: null } }")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZMARK) VALUES (1, 1, 1, NULL, 2), (2, 1, 1, 'x', NULL)")
    #expect(try shop.lines() == ["Note#1 fresh=7 mark=5", "Note#2 fresh=7 mark=5 text='x'"])
  }

  @Test("properties without a property mapping are filled by their renaming identifiers")
  func renamingIdentifiersFillWhatIsNotWritten() throws {
    let shop = try Workshop(
      "Note\n at Date?\n tag -> Tag.notes\nTag\n notes ->> Note.tag",
      "Note\n moment Date? was at\n label -> Tag.items was tag\nTag\n items ->> Note.label was notes")
    try shop.map("{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\" }")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZAT, ZTAG) VALUES (1, 1, 1, 5, 3), (2, 1, 1, NULL, NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (3, 2, 1);
      """)
    #expect(try shop.lines() == ["Note#1 moment=5 label=Tag#3", "Note#2", "Tag#3 items=[Note#1]"])
  }

  @Test func subentitiesAreNotTakenAlongWithTheirParent() throws {
    let shop = try Workshop(
      "Item\n x String?\nImage < Item\n y String?",
      "Item\n x String?\nImage < Item\n y String?\n z String? = new")
    try shop.map("{ source: \"Item\", destination: \"Item\" }, { source: \"Image\", destination: \"Image\" }")
    try shop.makeStore(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZX, ZY) VALUES (1, 1, 1, 'a', NULL), (2, 2, 1, 'b', 'y')")
    let result = try shop.migrate()
    #expect(result.lines == ["Image#2 x='b' y='y' z='new'", "Item#1 x='a'"])
    #expect(result.accounts == ["ItemToItem 1 = 1 + 0", "ImageToImage 1 = 1 + 0"])
  }

  @Test func aValueThatHasNoRoomRefusesTheStoreNamingTheAttribute() throws {
    let shop = try Workshop("Note\n size Int32?", "Note\n size Int16?")
    try shop.map("{ source: \"Note\", destination: \"Note\", attributes: { size: \"$source.size * 1000\" } }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 1), (2, 1, 1, 90)")
    let failure = try shop.failure()
    #expect(failure.disposition == .refuse && failure.reason == .valuesDoNotFit)
    #expect(failure.message.contains("“Note.size”"), "\(failure)")
    #expect(failure.message.contains("no room") && failure.message.contains("“NoteToNote”"), "\(failure)")
  }

  @Test func binaryValuesGoInAndOutOfExternalStorage() throws {
    let shop = try Workshop(
      "Note\n inside Binary?\n outside Binary? external\n both Binary? external",
      "Note\n inside Binary? external\n outside Binary?\n both Binary? external")
    try shop.map(
      """
      { source: "Note", destination: "Note", attributes: { inside: "$source.inside", outside: "$source.outside",
        both: "$source.both" } }
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZINSIDE, ZOUTSIDE, ZBOTH)
      VALUES (1, 1, 1, x'0a0b', x'010c', x'010d0e'), (2, 1, 1, NULL, NULL, NULL);
      """)
    #expect(try shop.lines() == ["Note#1 both=x010d0e inside=x010a0b outside=x0c", "Note#2"])
  }

  @Test func derivedAttributesAreComputed() throws {
    let shop = try Workshop(
      "Note\n tag -> Tag.notes\nTag\n notes ->> Note.tag",
      "Note\n tag -> Tag.notes\nTag\n number Int64? derived 'notes.@count'\n at Date? derived 'now()'\n notes ->> Note.tag"
    )
    try shop.map("{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\" }")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTAG) VALUES (1, 1, 1, 1), (2, 1, 1, 1), (3, 1, 1, NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      """)
    for goesByRows in [false, true] {
      var job = shop.job()
      job.claimedAt = .init(timeIntervalSinceReferenceDate: 100)
      job.goesByRows = goesByRows
      #expect(
        try shop.finished(Migration.run(job)).lines == [
          "Note#1 tag=Tag#1", "Note#2 tag=Tag#1", "Note#3", "Tag#1 at=100 number=2 notes=[Note#1 Note#2]",
          "Tag#2 at=100 number=0",
        ], "row by row: \(goesByRows)")
      try FileManager.default.removeItem(at: shop.output.deletingLastPathComponent())
    }
  }

  @Test(arguments: [637, 1344])
  func constraintsThatBreakAreRefusedNamingTheValues(framework: Int) throws {
    let shop = try Workshop("Note\n text String?", "Note\n name String?\n unique name")
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", attributes: { name: \"lowercase($source.text)\" } }")
    try shop.makeStore(
      framework: framework,
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'A'), (3, 1, 1, 'b')")
    let failure = try shop.failure()
    #expect(failure.reason == .notUnique)
    #expect(failure.message.contains("“name”") && failure.message.contains("“a”"), "\(failure)")
  }
}
