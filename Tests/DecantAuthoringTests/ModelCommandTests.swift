import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("hash, schema, diff and infer")
struct ModelCommandTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  @Test("hash of a named version ignores broken versions, and names them")
  func namedVersion() throws {
    let whole = Captured(["hash", fixture.bundle + "#Notes"])
    try fixture.folder.write("<model>", to: "Broken.xcdatamodeld/Torn.xcdatamodel/contents")
    let model = try String(contentsOfFile: fixture.bundle + "/Notes.xcdatamodel/contents", encoding: .utf8)
    try fixture.folder.write(model, to: "Broken.xcdatamodeld/Notes.xcdatamodel/contents")
    let path = fixture.folder.path("Broken.xcdatamodeld")
    let named = Captured(["hash", path + "#Notes"])
    #expect(named.code == 0 && named.output == whole.output, "\(named.messages)")
    #expect(
      named.messages.contains("another version is ignored") && named.messages.contains("Torn.xcdatamodel"))
    let absent = Captured(["hash", path + "#Other"])
    #expect(absent.code == 64 && absent.messages.contains("“Torn”"), "\(absent.messages)")
    #expect(Captured(["hash", path]).code == 65)
  }

  @Test(
    "if a mapping model is given instead of a model, the message says so",
    arguments: ["X.mapping.json5", "X.cdm"])
  func mappingModel(name: String) throws {
    let file = try fixture.folder.write("{ source: 'Notes', destination: 'Notes 2' }", to: name)
    let run = Captured(["hash", file.path])
    #expect(run.code == 65 && run.messages.contains("\(name) is a mapping model"), "\(run.messages)")
    #expect(run.messages.contains("“decant mapping” shows it."), "\(run.messages)")
  }

  @Test("hash prints names and hashes in order, or a JSON object of them")
  func hash() throws {
    let hashes = try fixture.model("Notes 3").entityVersionHashes.mapValues(\.hexadecimal)
    let text = Captured(["hash", fixture.bundle])
    #expect(text.code == 0)
    #expect(text.output == "Note  \(hashes["Note"] ?? "")\nTag   \(hashes["Tag"] ?? "")\n")
    let json = Captured(["hash", fixture.bundle + "#Notes 3", "--json"])
    #expect(try JSONDecoder().decode([String: String].self, from: Data(json.output.utf8)) == hashes)
    #expect(Captured(["hash", fixture.bundle + "#Notes"]).output != text.output)
    #expect(Captured(["hash", fixture.bundle + "/Notes 3.xcdatamodel/"]).output == text.output)
  }

  @Test("schema prints one statement per line, and then the entities' numbers")
  func schema() throws {
    let run = Captured(["schema", fixture.bundle + "#Notes"])
    #expect(run.code == 0)
    #expect(
      run.lines.first
        == "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDATE TIMESTAMP, "
        + "ZMOOD VARCHAR, ZTEXT VARCHAR );")
    let statements = run.lines.filter { !$0.isEmpty && !$0.hasPrefix("--") }
    #expect(statements.allSatisfy { $0.hasSuffix(";") })
    let json = Captured(["schema", fixture.bundle + "#Notes", "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["statements"] as? [String] == statements.map { String($0.dropLast()) })
    #expect((object?["entities"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["Note", "Tag"])
    #expect(run.lines.suffix(3) == ["-- 1|Note|0|0", "-- 2|Tag|0|0", ""])
    #expect(run.output.contains("Z_MODELCACHE"))
    #expect(!Captured(["schema", fixture.bundle, "--framework", "419"]).output.contains("Z_MODELCACHE"))
  }

  @Test("schema has exit code 65 if a name is uncertain, and names the property; a reference store must fit")
  func unsettled() throws {
    let path = try fixture.unsettledModel()
    let run = Captured(["schema", path])
    #expect(run.code == 65)
    #expect(run.output.isEmpty)
    #expect(run.messages.contains("Tag.notes") || run.messages.contains("Note.tags"))
    #expect(run.messages.contains("--reference STORE"))
    let other = Captured(["schema", path, "--reference", try fixture.store()])
    #expect(other.code == 65)
    #expect(other.messages.contains("the version hashes differ"))
  }

  @Test(
    "for a model that can't be read the exit code is right, and the message names the file",
    arguments: modelCases)
  func badModels(argument: String, code: Int32, sentence: String) throws {
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("Empty.xcdatamodeld"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("Bare.xcdatamodel"), withIntermediateDirectories: true)
    try fixture.folder.write("<model>", to: "Broken.xcdatamodel/contents")
    try fixture.folder.write("bplist00", to: "Compiled.mom")
    try fixture.folder.write("x", to: "File.xcdatamodel")
    mkfifo(fixture.folder.path("Pipe"), 0o600)
    let path = fixture.folder.path(argument)
    for command in [
      ["hash", path], ["schema", path], ["diff", fixture.bundle, path], ["infer", path, fixture.bundle],
    ] {
      let run = Captured(command)
      #expect(run.code == code, "\(command.first ?? ""): \(run.messages)")
      #expect(run.output.isEmpty)
      #expect(run.messages.contains(sentence), "\(run.messages)")
      #expect(run.messages.hasPrefix("decant: "))
    }
  }

  static let modelCases: [(String, Int32, String)] = [
    ("Missing.xcdatamodel", 66, "no such file"),
    ("Missing.xcdatamodeld#One", 66, "no such file"),
    ("Models/Notes/Notes.xcdatamodeld#Notes 9", 64, "has no version “Notes 9”"),
    ("Empty.xcdatamodeld", 65, "no model version"),
    ("Bare.xcdatamodel", 65, "neither a file “contents”"),
    ("Broken.xcdatamodel", 65, "Broken.xcdatamodel"),
    ("File.xcdatamodel", 65, "File.xcdatamodel"),
    ("Compiled.mom", 65, "neither a binary nor an XML property list"),
    ("Pipe", 65, "Pipe"),
    ("Models", 65, "Models"),
  ]

  @Test("diff shows what was added, removed, renamed and changed, and that it can be inferred")
  func diff() {
    let run = Captured(["diff", fixture.bundle + "#Notes", fixture.bundle + "#Notes 3"])
    #expect(run.code == 0)
    #expect(
      run.output == """
        ~ light  entity Note
          ~ light  attribute moment (before: date)
          - light  attribute mood (values are lost)
          + light  attribute stars: Integer 16, default 3

        A mapping can be inferred.
        Values and objects marked as lost are removed. To keep some of them, write a
        mapping model that reads them.
        This command writes a mapping model, with choices for each change and loss:
          decant mapping --new '\(fixture.bundle)#Notes' '\(fixture.bundle)#Notes 3' --output '\(fixture.folder.path("Models/Notes/Notes 3.mapping.json5"))'

        """)
    #expect(Captured(["diff", fixture.bundle, fixture.bundle]).output == "The models are equal.\n")
    let json = Captured(["diff", fixture.bundle + "#Notes", fixture.bundle, "--json"]).output
    #expect(json.contains(#""equalHashes": false"#) && json.contains(#""inferable": true"#))
  }

  @Test("the output has colours only on a terminal, and not with NO_COLOR")
  func colour() {
    let arguments = ["diff", fixture.bundle + "#Notes", fixture.bundle]
    #expect(Captured(arguments, isTerminal: true).output.contains("\u{1b}["))
    #expect(!Captured(arguments, isTerminal: true, environment: ["NO_COLOR": "1"]).output.contains("\u{1b}["))
    #expect(!Captured(arguments).output.contains("\u{1b}["))
  }

  @Test("infer shows the sources of values and the losses; its exit code is 65 if a change can't be inferred")
  func infer() throws {
    let run = Captured(["infer", fixture.bundle + "#Notes", fixture.bundle + "#Notes 3"])
    #expect(run.code == 0)
    #expect(
      run.output == """
        NoteToNote: “Note” to “Note”
          moment  ← date
          stars   = 3
          as before: text, tags

        TagToTag: copied unchanged

        Lost, if objects have values
          attribute Note.mood: gone

        """)
    let json = Captured(["infer", fixture.bundle + "#Notes", fixture.bundle, "--json"])
    #expect(json.output.contains(#""property": "mood""#))
    let strict = NotesFixture.contents(#"<attribute name="due" attributeType="Date"/>"#)
    let path = try fixture.folder.write(strict, to: "Strict.xcdatamodel/contents").deletingLastPathComponent()
      .path
    let refused = Captured(["infer", fixture.bundle, path])
    #expect(refused.code == 65)
    #expect(refused.output.isEmpty)
    #expect(refused.messages.contains("entity “Note”: attribute “due” is new and required, and has no default"))
    #expect(
      Captured(["diff", fixture.bundle, path]).output.contains(
        "Needs a mapping model: 1 change can't be inferred."))
  }
}
