import Foundation
import Testing

@testable import DecantMigration

@Suite("Policy programs in entity mappings") struct ProgramPolicyTests {
  private static let python = ["/usr/bin/python3", "/bin/python3"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static let program = """
    import json, sys

    def say(line):
        print(json.dumps(line), flush=True)

    hello = json.loads(sys.stdin.readline())["hello"]
    say({"hello": {"protocol": 1}})
    categories = {}
    for line in sys.stdin:
        message = json.loads(line)
        if "end" in message:
            break
        for note in message["source"]:
            values = note["values"]
            if values["text"] == "none":
                continue
            BODY
            say({"source": note["key"], "entity": "Note", "values": {"text": values["text"].upper()}})
            for tag in note["relationships"]["tag"]:
                say({"from": {"source": note["key"]}, "relationship": "tag",
                     "to": {"source": tag, "mapping": "TagToTag"}})
            name = values["category"]
            if name is None:
                continue
            if name not in categories:
                categories[name] = "c%d" % len(categories)
                say({"id": categories[name], "entity": "Category", "values": {"name": name}})
            say({"from": {"id": categories[name]}, "relationship": "notes", "to": {"source": note["key"]}})
        say({"end": message["batch"]})
    """

  private static func shop(_ body: String = "pass", further: String = "", tagsLater: Bool = false) throws
    -> Workshop
  {
    let shop = try Workshop(
      "Note\n text String?\n category String?\n tag -> Tag.notes\nTag\n notes ->> Note.tag",
      "Note\n text String?\n categories ->> Category.notes\n tag -> Tag.notes\n"
        + "Category\n name String\n notes ->> Note.categories ordered\nTag\n notes ->> Note.tag")
    try shop.folder.write(program.replacing("BODY", with: body), to: "models/Notes/policy.py")
    let notes =
      "{ source: \"Note\", destination: \"Note\", policy: { program: [\"python3\", \"policy.py\"] }, \(further) }"
    let tags = "{ source: \"Tag\", destination: \"Tag\", relationships: { notes: null } }"
    if tagsLater {
      try shop.map("Notes", notes, further: "order: 1,")
      try shop.map("Tags", tags, further: "order: 2,")
    } else {
      try shop.map(notes + ", " + tags)
    }
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZCATEGORY, ZTAG) VALUES (1, 1, 1, 'bread', 'shop', 8),
        (2, 1, 3, 'milk', 'shop', NULL), (3, 1, 1, 'none', NULL, 8), (5, 1, 1, 'trip', 'out', 8), (6, 1, 1, 'left', 'out', NULL),
        (9, 1, 1, 'eggs', 'shop', NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (8, 2, 1);
      """)
    return shop
  }

  private static let lines = [
    "Category#1 name='shop' notes=(Note#1 Note#2 Note#9)", "Category#2 name='out' notes=(Note#5)",
    "Note#1 text='BREAD' tag=Tag#8 categories=[Category#1]", "Note#2 text='MILK' categories=[Category#1]",
    "Note#5 text='TRIP' tag=Tag#8 categories=[Category#2]", "Note#9 text='EGGS' categories=[Category#1]",
    "Tag#8 notes=[Note#1 Note#5]",
  ]

  @Test(
    "a program makes objects and links, in chunks of any size, also to objects of later passes",
    .enabled(if: python, "python3 is not there"))
  func objects() throws {
    for tagsLater in [false, true] {
      for size in [nil, 1, 2] {
        let shop = try Self.shop(further: "filter: \"text != 'left'\"", tagsLater: tagsLater)
        let result = try shop.migrate(chunkSize: size)
        #expect(result.lines == Self.lines, "tags later: \(tagsLater), chunks of \(size ?? 0)")
        let rows = try #require(result.report.steps.last?.entities.first)
        #expect(
          rows
            == .init(
              entityMapping: "NoteToNote", pass: tagsLater ? "Notes" : "Step", source: 6, made: 4,
              filtered: 1, leftOut: 1))
        #expect(result.report.steps.map(\.inserted) == [["Category": 2]])
      }
    }
  }

  @Test("a stopped run continues to the same store", .enabled(if: python, "python3 is not there"))
  func stopped() throws {
    for stop in [3, 5, 8, 11, 14] {
      let shop = try Self.shop(further: "filter: \"text != 'left'\"")
      let looks = Looks()
      do {
        _ = try Migration.run(shop.job(chunkSize: 1), shouldStop: { looks.count() >= stop })
        Issue.record("it was not stopped")
      } catch {
        #expect(error.reason == .stopped, "\(error)")
      }
      #expect(try shop.finished(try Migration.run(shop.job(chunkSize: 1))).lines == Self.lines)
    }
  }

  @Test(
    "a program's fault is reported with the entity mapping and the program's last output",
    .enabled(if: python, "python3 is not there"),
    arguments: [
      (
        "sys.stderr.write('no disk'); sys.exit(3)",
        "policy program python3 policy.py: it ended with exit code 3 during batch 1.", "no disk"
      ),
      (
        "print('rubbish', flush=True)", "wrote an unusable line during batch 1 (line 2 of its output)",
        "“rubbish”. Write text for people"
      ),
      (
        "sys.stdout.buffer.write(b'{\"entity\": \"Note\", \"values\": {\"text\": \"a\\xff\"}}\\n'); "
          + "sys.stdout.flush()",
        "(line 2 of its output): it isn't UTF-8 at byte 41", "a\\xFF"
      ),
      (
        "say({'entity': 'Note', 'values': {'text': 'x' * 500, 'nome': 5}})", "“Note” has no attribute “nome”",
        "xx\", \"nome\": 5}}”."
      ),
      ("say({'error': 'not this one'})", "refused", "not this one"),
      ("say({'entity': 'Notes', 'values': {}})", "Notes", "python3 policy.py"),
      ("say({'source': 77, 'entity': 'Note', 'values': {}})", "77", "NoteToNote"),
      (
        "say({'from': {'id': 'nobody'}, 'relationship': 'notes', 'to': {'source': note['key']}})",
        "object Note/p1: line 2 of its output (batch 1): a link names the id “nobody”, which no object has.",
        "NoteToNote"
      ),
      (
        "say({'source': note['key'], 'id': 'x', 'entity': 'Note'})",
        "object Note/p2: line 7 of its output (batch 1): the id “x” is there twice.", "NoteToNote"
      ),
      (
        "say({'from': {'source': note['key']}, 'relationship': 'tga', 'to': {'source': note['key']}})", "tga",
        "NoteToNote"
      ),
      (
        "say({'from': {'source': note['key']}, 'relationship': 'tag', 'to': {'source': note['key']}})",
        "object Note/p1: line 2 of its output (batch 1): “Note.tag” leads to objects of “Tag”", "NoteToNote"
      ),
      ("import os; os.kill(os.getpid(), 9)", "signal 9", "NoteToNote"),
    ])
  func wrong(body: String, words: String, more: String) throws {
    let failure = try Self.shop(body).failure()
    #expect(failure.reason == .policyFailed && failure.disposition == .refuse)
    #expect(failure.message.contains(words) && failure.message.contains(more), "\(failure.message)")
    #expect(failure.message.contains("“NoteToNote”"), "\(failure.message)")
    #expect(!failure.message.contains("The policy program"), "named once: \(failure.message)")
  }

  @Test(
    "of several objects of one source object, a link uses the fitting one; links to no object are reported",
    .enabled(if: python, "python3 is not there"))
  func ends() throws {
    let shop = try Self.shop(
      "say({'source': note['key'], 'entity': 'Category', 'values': {'name': 'own'}}); "
        + "say({'from': {'source': note['key']}, 'relationship': 'tag', 'to': {'source': 8, 'mapping': 'TagToTag'}}); "
        + "say({'from': {'source': note['key']}, 'relationship': 'tag', 'to': {'source': 77, 'mapping': 'TagToTag'}})"
    )
    let result = try shop.migrate()
    #expect(result.lines.filter { $0.hasPrefix("Note#") && $0.contains("tag=Tag#8") }.count == 5)
    #expect(result.report.warnings.contains { $0.hasPrefix("5 links of policy programs led to objects") })
  }

  @Test(
    "exhausted keys are reported, without overflow", .enabled(if: python, "python3 is not there"),
    arguments: [Int64.max, Int64.max - 1])
  func noKeysLeft(key: Int64) throws {
    let shop = try Self.shop("say({'entity': 'Note', 'values': {}})")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZCATEGORY) VALUES (\(key), 1, 1, 'a', 'b')")
    let failure = try shop.failure()
    #expect(failure.disposition == .refuse)
    #expect(failure.message.contains("no primary keys left"), "\(failure.message)")
  }

  @Test func aProgramThatIsNotThereIsRefusedByThePlan() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n more String?")
    try shop.map("{ source: \"Note\", destination: \"Note\", policy: { program: [\"./policy\"] } }")
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.reason == .needsPolicy && failure.disposition == .catalogue)
    #expect(
      failure.message.contains("./policy") && failure.message.contains("wasn't found"), "\(failure.message)")
  }
}
