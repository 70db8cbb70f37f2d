import DecantStore
import Foundation
import Testing

@testable import DecantMigration

@Suite("Mapping models: several passes") struct PassTests {
  private static let old =
    "Note\n text String?\n tag -> Tag.notes\nTag\n name String?\n notes ->> Note.tag ordered"
  private static let new = old + "\n more String?"
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTAG, Z_FOK_TAG) VALUES (1, 1, 1, 'a', 1, 5000), (2, 1, 1, 'b', 1, 3000),
      (3, 1, 1, 'c', 2, 2048), (4, 1, 1, 'd', 1, 4000), (5, 1, 1, 'e', NULL, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'x'), (2, 2, 1, 'y');
    """
  private static let lines = [
    "Note#1 text='a' tag=Tag#1", "Note#2 text='b' tag=Tag#1", "Note#3 text='c' tag=Tag#2",
    "Note#4 text='d' tag=Tag#1",
    "Note#5 text='e'", "Tag#1 name='x' notes=(Note#2 Note#4 Note#1)", "Tag#2 name='y' notes=(Note#3)",
  ]

  @Test(
    "references to a later pass are resolved when the step ends", arguments: ["", "tag: null", "notes: null"])
  func laterTargets(unset: String) throws {
    for isTagFirst in [true, false] {
      let shop = try Workshop(Self.old, Self.new)
      let passes = [("Tags", "Tag"), ("Notes", "Note")]
      for (index, pass) in (isTagFirst ? passes : passes.reversed()).enumerated() {
        let own = unset.hasPrefix("tag") == (pass.1 == "Note") ? unset : ""
        try shop.map(
          pass.0, "{ source: \"\(pass.1)\", destination: \"\(pass.1)\", relationships: { \(own) } }",
          further: "order: \(index + 1),")
      }
      try shop.makeStore(Self.rows)
      let expected =
        unset.hasPrefix("notes")
        ? Self.lines.map { $0.replacing("(Note#2 Note#4 Note#1)", with: "(Note#1 Note#2 Note#4)") } : Self.lines
      for size in [nil, 1, 2] {
        try? FileManager.default.removeItem(at: shop.output)
        let result = try shop.migrate(chunkSize: size)
        #expect(result.lines == expected, "tags first: \(isTagFirst), chunks of \(size ?? 0)")
        #expect(result.displaced == [])
      }
    }
  }

  @Test func associationsOfOneNameAreOneOverThePasses() throws {
    let shop = try Workshop(Self.old, Self.new)
    try shop.map(
      "First",
      "{ source: \"Note\", destination: \"Note\", filter: \"text <= 'b'\" }, { source: \"Tag\", destination: \"Tag\" }",
      further: "order: 1,")
    try shop.map(
      "Second",
      "{ source: \"Note\", destination: \"Note\", filter: \"text > 'b'\", relationships: { tag: { path: \"$source.tag\", mapping: \"TagToTag\" } } }",
      further: "order: 2,")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Note#1 text='a' tag=Tag#1", "Note#2 text='b' tag=Tag#1", "Note#6 text='c' tag=Tag#2",
        "Note#7 text='d' tag=Tag#1",
        "Note#8 text='e'", "Tag#1 name='x' notes=(Note#2 Note#7 Note#1)", "Tag#2 name='y' notes=(Note#6)",
      ])
    #expect(result.accounts == ["NoteToNote 5 = 2 + 3", "TagToTag 2 = 2 + 0", "NoteToNote 5 = 3 + 2"])
  }

  @Test func theOrderIsTheOneThatIsWritten() throws {
    for (first, second) in [(1, 2), (2, 1)] {
      let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
      try shop.map(
        "A", "{ source: \"Note\", destination: \"Note\", attributes: { from: \"'A'\" } }",
        further: "order: \(first),")
      try shop.map(
        "B", "{ source: \"Note\", destination: \"Note\", attributes: { from: \"'B'\" } }",
        further: "order: \(second),")
      try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (3, 1, 1, 'a')")
      let names = first == 1 ? ["A", "B"] : ["B", "A"]
      let result = try shop.migrate()
      #expect(result.lines == ["Note#3 from='\(names[0])' text='a'", "Note#4 from='\(names[1])' text='a'"])
      #expect(result.report.steps[0].passes == names)
    }
  }

  @Test func familyJSONCanSayTheOrder() throws {
    let shop = try Workshop(
      "Note\n text String?", "Note\n text String?\n from String?", family: "{ order: [\"B\", \"A\"] }")
    for name in ["A", "B"] {
      try shop.map(
        name, "{ source: \"Note\", destination: \"Note\", attributes: { from: \"'\(name)'\" } }", further: "")
    }
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (3, 1, 1, 'a')")
    #expect(try shop.migrate().report.steps[0].passes == ["B", "A"])
  }

  @Test func passesOfOneOrderAreRefused() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    for name in ["A", "B", "C"] {
      try shop.map(
        name, "{ source: \"Note\", destination: \"Note\" }", further: "order: \(name == "C" ? 2 : 1),")
    }
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.reason == .passOrder && failure.disposition == .catalogue)
    #expect(failure.message.hasSuffix("“A” and “B” have the same “order”."), "\(failure)")
  }

  @Test func passesOfTwoSharedOrdersAreNamedApart() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    for (name, order) in [("A", 1), ("B", 1), ("C", 2), ("D", 2)] {
      try shop.map(name, "{ source: \"Note\", destination: \"Note\" }", further: "order: \(order),")
    }
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.reason == .passOrder)
    #expect(
      failure.message.hasSuffix(
        "“A” and “B” have the same “order”; “C” and “D” have the same “order”."), "\(failure)")
  }

  @Test func passesWithoutAnOrderAreRefused() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    for name in ["A", "B"] { try shop.map(name, "{ source: \"Note\", destination: \"Note\" }", further: "") }
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.reason == .passOrder && failure.disposition == .catalogue)
    #expect(failure.message.contains("2 mapping models are for “V1” to “V2”"), "\(failure)")
    #expect(failure.advice.contains("order: ["))
    #expect(failure.advice.contains("remove the other"))
  }

  @Test func inferredHeavyAndInferredStepsFollowEachOther() throws {
    let shop = try Workshop(
      "Note\n text String?", "Note\n words String? was text", "Note\n words String?\n length Int32?",
      "Note\n words String?\n length Int64?\n last String? = z")
    try shop.map(
      from: "V2", to: "V3",
      "{ source: \"Note\", destination: \"Note\", attributes: { length: \"$source.words.length\" } }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (3, 1, 1, 'abc'), (4, 1, 1, NULL)")
    for size in [nil, 1] {
      try? FileManager.default.removeItem(at: shop.output)
      let result = try shop.migrate(chunkSize: size)
      #expect(result.report.steps.map(\.destinationVersion) == ["V2", "V3", "V4"])
      #expect(result.lines == ["Note#3 last='z' length=3 words='abc'", "Note#4 last='z'"])
    }
  }

  @Test func thePlanShowsPassesFiltersAndRows() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n from String?")
    try shop.map(
      "A", "{ source: \"Note\", destination: \"Note\", filter: \"text != nil\", uniqueBy: \"$source.text\" }",
      further: "order: 1,")
    try shop.map("B", "{ name: \"all\", source: \"Note\", destination: \"Note\" }", further: "order: 2,")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (3, 1, 1, 'a'), (4, 1, 1, NULL)")
    let step = try #require(try Migration.plan(shop.job()).steps.first)
    #expect(step.passes == ["A", "B"])
    #expect(step.entityMappings.map(\.pass) == ["A", "B"] && step.entityMappings.map(\.rows) == [2, 2])
    #expect(step.entityMappings.map(\.filter) == ["text != nil", nil])
    #expect(step.entityMappings.map(\.uniqueBy) == ["$source.text", nil])
  }

  @Test func persistentHistoryIsEmptiedAndSaid() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    try shop.map("{ source: \"Note\", destination: \"Note\" }")
    try shop.makeStore(
      finally: HistoryTests.history, "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x')")
    let result = try shop.migrate()
    #expect(
      result.report.warnings.filter { $0.hasPrefix("Persistent history") } == [
        "Persistent history is emptied, because mapping models make new objects; its counters continue."
      ])
    #expect(try result.store.store.rows("SELECT count(*) FROM ACHANGE") == [[.integer(0)]])
    #expect(
      try result.store.store.rows(HistoryTests.further).map { $0.map(LogicalStore.text)[3] } == [
        "40", "30", "2",
      ])
  }

  @Test(arguments: [
    (
      "{ source: \"Note\", destination: \"Note\", policy: \"NotesPolicy\" }", "needs-policy",
      "class “NotesPolicy”"
    ),
    (
      "{ source: \"Note\", destination: \"Note\", policy: { program: [\"./nowhere\"] } }", "needs-policy",
      "“./nowhere” wasn't found"
    ),
    (
      "{ source: \"Note\", destination: \"Note\", attributes: { a: \"FUNCTION($entityPolicy, 'make:', $source.a)\" } }",
      "bad-mapping-model", "“NoteToNote”, “a”"
    ),
    ("{ source: \"Note\", destination: \"Note\", attributes: { c: \"1\" } }", "bad-mapping-model", "“c”"),
    ("{ source: \"Note\", destination: \"Nota\" }", "bad-mapping-model", "“Nota”"),
    (
      "{ source: \"Note\", destination: \"Note\", filter: \"a ==\" }", "bad-mapping-model", "Step.mapping.json5"
    ),
  ])
  func whatCannotRunIsRefusedByName(mapping: String, reason: String, words: String) throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?")
    try shop.map(mapping)
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.reason.word == reason || failure.reason == .brokenFamily, "\(failure)")
    #expect(failure.message.contains(words), "\(failure)")
  }
}
