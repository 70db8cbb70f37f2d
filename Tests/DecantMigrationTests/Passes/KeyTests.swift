import DecantSQLite
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Mapping models: primary keys") struct KeyTests {
  private func mark(_ result: Migrated, _ entity: String) throws -> SQLiteValue? {
    try result.store.store.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'").first?.first
  }

  private static let notes =
    "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (2, 1, 1, 'a'), (5, 1, 1, 'b'), (6, 1, 1, 'c');"

  @Test func theFirstMappingKeepsKeysAndLaterOnesDrawAboveTheHighWaterMark() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    try shop.map(
      """
      { name: "one", source: "Note", destination: "Note", attributes: { from: "'one'" } },
      { name: "two", source: "Note", destination: "Note", filter: "text != 'b'", attributes: { from: "'two'" } },
      """)
    try shop.makeStore(marks: ["Note": 40], Self.notes)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Note#2 from='one' text='a'", "Note#5 from='one' text='b'", "Note#6 from='one' text='c'",
        "Note#41 from='two' text='a'", "Note#42 from='two' text='c'",
      ])
    #expect(try mark(result, "Note") == .integer(42))
    #expect(result.accounts == ["one 3 = 3 + 0", "two 3 = 2 + 1"])
  }

  @Test func theHighWaterMarkIsKeptWhereNothingIsDrawn() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    try shop.map("{ source: \"Note\", destination: \"Note\" }")
    try shop.makeStore(marks: ["Note": 40], Self.notes)
    #expect(try mark(try shop.migrate(), "Note") == .integer(40))
  }

  @Test func aLargestKeyAboveTheMarkCounts() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", filter: \"text == 'a'\" }, { name: \"two\", source: \"Note\", "
        + "destination: \"Note\", filter: \"text == 'b'\" }")
    try shop.makeStore(marks: ["Note": 1], Self.notes)
    // 6 is the largest key of the source, although the filters leave its object out.
    #expect(try shop.lines() == ["Note#2 text='a'", "Note#7 text='b'"])
  }

  @Test func twoFamiliesIntoOneTheFirstKeepsItsKeys() throws {
    let shop = try Workshop("A\n x String?\nB\n x String?", "C\n x String?")
    try shop.map("{ source: \"B\", destination: \"C\" }, { source: \"A\", destination: \"C\" }")
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'a1'), (2, 1, 1, 'a2');
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 2, 1, 'b1'), (3, 2, 1, 'b3');
      """)
    #expect(try shop.lines() == ["C#1 x='b1'", "C#3 x='b3'", "C#4 x='a1'", "C#5 x='a2'"])
  }

  @Test func entitiesOfOneFamilyKeepTheirKeysTogether() throws {
    let shop = try Workshop(
      "Item*\n x String?\nImage < Item\nText < Item", "Thing*\n x String?\nPicture < Thing\nLetter < Thing")
    try shop.map(
      "{ source: \"Image\", destination: \"Letter\" }, { source: \"Text\", destination: \"Picture\" }")
    try shop.makeStore(
      "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 2, 1, 'i'), (2, 3, 1, 't'), (3, 2, 1, 'j')")
    #expect(try shop.lines() == ["Letter#1 x='i'", "Letter#3 x='j'", "Picture#2 x='t'"])
  }

  @Test func aFamilyThatFallsApartKeepsItsKeysInEach() throws {
    let shop = try Workshop("Note\n text String?", "One\n text String?\nTwo\n text String?")
    try shop.map("{ source: \"Note\", destination: \"One\" }, { source: \"Note\", destination: \"Two\" }")
    try shop.makeStore(Self.notes)
    #expect(
      try shop.lines() == [
        "One#2 text='a'", "One#5 text='b'", "One#6 text='c'", "Two#2 text='a'", "Two#5 text='b'",
        "Two#6 text='c'",
      ])
  }

  @Test func objectsMadeOfValuesBeginAboveKeptKeys() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    try shop.map(
      """
      { name: "values", source: "Note", destination: "Note", uniqueBy: "$source.text", attributes: { from: "'value'" } },
      { source: "Note", destination: "Note" },
      """)
    try shop.makeStore(Self.notes)
    #expect(
      try shop.lines() == [
        "Note#2 text='a'", "Note#5 text='b'", "Note#6 text='c'", "Note#7 from='value' text='a'",
        "Note#8 from='value' text='b'", "Note#9 from='value' text='c'",
      ])
  }

  @Test func passesCollideNeither() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    try shop.map(
      "One", "{ source: \"Note\", destination: \"Note\", attributes: { from: \"'one'\" } }",
      further: "order: 1,")
    try shop.map(
      "Two", "{ source: \"Note\", destination: \"Note\", attributes: { from: \"'two'\" } }",
      further: "order: 2,")
    try shop.makeStore(Self.notes)
    let result = try shop.migrate(chunkSize: 2)
    #expect(
      result.lines.map { String($0.prefix(17)) } == [
        "Note#2 from='one'", "Note#5 from='one'", "Note#6 from='one'", "Note#7 from='two'", "Note#8 from='two'",
        "Note#9 from='two'",
      ])
    #expect(result.report.steps[0].passes == ["One", "Two"])
  }

  private static let drawing = [
    "{ name: \"two\", source: \"Note\", destination: \"Note\", attributes: { from: \"'two'\" } }",
    "{ name: \"two\", source: \"Note\", destination: \"Note\", uniqueBy: \"$source.text\" }",
    "{ name: \"two\", source: \"Note\", destination: \"Note\", chunks: [\"text != 'b'\", \"text == 'b'\"] }",
  ]

  @Test(
    "exhausted keys are reported over sets and row by row", arguments: drawing,
    [Int64.max, Int64.max - 1, Int64.max / 2])
  func noKeysLeft(mapping: String, key: Int64) throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    try shop.map("{ name: \"one\", source: \"Note\", destination: \"Note\" }, \(mapping)")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (\(key), 1, 1, 'a'), (7, 1, 1, 'b')")
    for goesByRows in [false, true] {
      var job = shop.job()
      job.goesByRows = goesByRows
      let failure = #expect(throws: MigrationFailure.self) { try Migration.run(job) }
      #expect(failure?.disposition == .refuse)
      #expect(
        failure?.message.contains("two") == true && failure?.message.contains("no primary keys left") == true,
        "\(goesByRows): \(failure?.message ?? "")")
    }
  }

  @Test(
    "Z_MAX is the largest key of the source, even if its object is left out",
    arguments: [Int64.max, Int64.max - 1])
  func largeKeysThatAreKeptBack(key: Int64) throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    try shop.map("{ source: \"Note\", destination: \"Note\", filter: \"text != 'a'\" }")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (\(key), 1, 1, 'a'), (7, 1, 1, 'b')")
    let result = try shop.migrate()
    #expect(result.lines == ["Note#7 text='b'"])
    #expect(try mark(result, "Note") == .integer(key))
  }

  @Test(arguments: [Int64.max, Int64.max - 1, Int64.max / 2])
  func largeKeysThatAreKeptNeedNoRoom(key: Int64) throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    try shop.map("{ source: \"Note\", destination: \"Note\" }")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (\(key), 1, 1, 'a'), (7, 1, 1, 'b')")
    let result = try shop.migrate()
    #expect(result.lines == ["Note#7 text='b'", "Note#\(key) text='a'"])
    #expect(try mark(result, "Note") == .integer(key))
  }
}
