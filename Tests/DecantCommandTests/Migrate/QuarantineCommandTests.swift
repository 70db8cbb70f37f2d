import CommandSupport
import DecantMigration
import DecantReport
import FileNames
import Foundation
import Testing

@testable import DecantCommand

@Suite("migrate: objects that go to quarantine") struct QuarantineCommandTests {
  let fixture: NotesFixture
  let store: String
  var output: String { fixture.folder.path("Out.sqlite") }

  init() throws {
    fixture = try NotesFixture()
    store = try fixture.store()
    try fixture.folder.write(
      """
      { source: "Notes", destination: "Notes 3", validation: "quarantine", entityMappings: [
        { source: "Note", destination: "Note", attributes: { stars: "TERNARY($source.mood == nil, nil, 4)" } },
        { source: "Tag", destination: "Tag" }] }
      """, to: "Models/Notes/Step.mapping.json5")
  }

  private func migrate(_ more: String...) -> Captured {
    Captured(["migrate", store, "--output", output, "--models", fixture.catalogue] + more)
  }

  @Test func theyLieBesideTheOutputAndCanBeLookedAt() throws {
    let run = migrate()
    #expect(run.code == 0, "\(run.messages)")
    #expect(
      run.output.contains("2 objects in quarantine: Out.quarantine.sqlite; Out.quarantine.json says why."))
    #expect(
      run.output.contains("  Entity mapping  Source  Made  Refused\n  NoteToNote           7     5        2\n"),
      "\(run.output)")
    #expect(
      try fixture.names()
        == ["Models", "Out.quarantine.json", "Out.quarantine.sqlite", "Out.sqlite", "Store.sqlite"])
    let inspected = Captured(
      ["inspect", fixture.folder.path("Out.quarantine.sqlite"), "--models", fixture.catalogue])
    #expect(inspected.code == 0 && inspected.output.contains("“Notes 3” of family “Notes”"), "\(inspected)")
    #expect(inspected.output.contains("Note") && inspected.output.contains("2"))
  }

  @Test func aStoreWithTheNameOfAQuarantineAndWithoutAListIsNeverReplaced() throws {
    try fixture.folder.write("a store", to: "Out.sqlite")
    for name in ["Out.quarantine.sqlite", "Out.quarantine-2.sqlite", "Out.quarantine-source.sqlite"] {
      try fixture.folder.write("somebody's", to: name)
      let refused = migrate("--force")
      #expect(refused.code == 73 && refused.messages.contains("/\(name) has the name"), "\(refused.messages)")
      for (file, text) in [(name, "somebody's"), ("Out.sqlite", "a store")] {
        #expect(try String(contentsOfFile: fixture.folder.path(file), encoding: .utf8) == text)
      }
      try FileManager.default.removeItem(atPath: fixture.folder.path(name))
    }
    #expect(migrate("--force").code == 0)
  }

  @Test func aStoreWithTheNameOfTheNewQuarantineIsNotReplacedWhereNoOutputWas() throws {
    try fixture.folder.write("somebody's", to: "Out.quarantine.sqlite")
    let refused = migrate("--force")
    #expect(refused.code == 73 && refused.messages.contains("Out.quarantine.sqlite exists already"))
    #expect(
      try String(contentsOfFile: fixture.folder.path("Out.quarantine.sqlite"), encoding: .utf8) == "somebody's")
    try FileManager.default.removeItem(atPath: fixture.folder.path("Out.quarantine.sqlite"))
    #expect(migrate("--force").code == 0)
  }

  @Test func aQuarantineThatIsThereAlreadyIsKeptUnlessForced() throws {
    try fixture.folder.write("somebody's", to: "Out.quarantine.json")
    let refused = migrate()
    #expect(refused.code == 73, "\(refused.messages)")
    #expect(refused.messages.contains("Out.quarantine.json exists already"))
    #expect(!FileManager.default.fileExists(atPath: output))
    try FileManager.default.removeItem(atPath: fixture.folder.path("Out.quarantine.json"))
    let again = migrate("--json", "--quiet")
    #expect(again.code == 0, "\(again.messages)")
    let report = try JSONDecoder().decode(MigrationReport.self, from: Data(again.output.utf8))
    #expect(report.steps.map { $0.quarantine?.objects } == [2])
    let forced = migrate("--force")
    #expect(forced.code == 0, "\(forced.messages)")
    #expect(try fixture.names().count == 5)
  }

  @Test func aRefusedStoreLeavesNoQuarantineBehind() throws {
    try fixture.folder.write(
      """
      { source: "Notes", destination: "Notes 3", others: "infer", entityMappings: [
        { source: "Note", destination: "Note", attributes: { stars: "TERNARY($source.mood == nil, nil, 4)" } }] }
      """, to: "Models/Notes/Step.mapping.json5")
    let run = migrate()
    #expect(run.code == 65, "\(run.messages)")
    #expect(try fixture.names() == ["Models", "Store.sqlite"])
  }

  private static let strict = """
    { source: "Notes", destination: "Notes 3", validation: "report", entityMappings: [
      { source: "Note", destination: "Note", attributes: { stars: "TERNARY($source.mood == nil, nil, 4)" } },
      { source: "Tag", destination: "Tag" }] }
    """

  @Test func theOldStoresQuarantinesGoWithIt() throws {
    #expect(migrate("--quiet").code == 0)
    for name in [
      "Out.quarantine-1.sqlite", "Out.quarantine-1.json", ".Out.quarantine_SUPPORT/_EXTERNAL_DATA/A",
    ] {
      try fixture.folder.write("old", to: name)
    }
    let others = [
      "Out.quarantine-x.json", "Out.quarantine.txt", "Out.quarantined.sqlite", "Output.quarantine.sqlite",
    ]
    for name in others { try fixture.folder.write("another's", to: name) }
    try fixture.folder.write(Self.strict, to: "Models/Notes/Step.mapping.json5")
    let forced = migrate("--force", "--quiet")
    #expect(forced.code == 0, "\(forced.messages)")
    #expect(try fixture.names() == (["Models", "Out.sqlite", "Store.sqlite"] + others).sorted())
  }

  @Test func withoutAnOldStoreAQuarantineIsSomebodyElses() throws {
    try fixture.folder.write("another's", to: "Out.quarantine.sqlite")
    try fixture.folder.write(Self.strict, to: "Models/Notes/Step.mapping.json5")
    #expect(migrate("--force", "--quiet").code == 0)
    #expect(
      try String(contentsOfFile: fixture.folder.path("Out.quarantine.sqlite"), encoding: .utf8) == "another's")
  }

  @Test func outputsWhoseNamesLookAlikeHaveEachItsOwnQuarantine() throws {
    let stems = ["caf\u{E9}", "cafe\u{301}"]
    func run(_ stem: String, _ more: String...) -> Captured {
      Captured(
        [
          "migrate", store, "--output", fixture.folder.path("out/\(stem).sqlite"), "--models",
          fixture.catalogue,
        ]
          + more)
    }
    func names() throws -> Set<FileName> {
      Set(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("out")).map { FileName($0) })
    }
    let all = Set(
      stems.flatMap { stem in
        ["sqlite", "quarantine.sqlite", "quarantine.json"].map { FileName("\(stem).\($0)") }
      })
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("out"), withIntermediateDirectories: true)
    for stem in stems { #expect(run(stem).code == 0) }
    #expect(try names() == all)
    // Replacing a store removes only the quarantine of that store.
    try fixture.folder.write(Self.strict, to: "Models/Notes/Step.mapping.json5")
    #expect(run(stems[1], "--force").code == 0)
    #expect(
      try names()
        == all.subtracting(["quarantine.sqlite", "quarantine.json"].map { FileName("\(stems[1]).\($0)") }))
  }

  @Test func aQuarantineThatIsTheSourceIsNeverReplaced() throws {
    try FileManager.default.moveItem(atPath: store, toPath: fixture.folder.path("Out.quarantine.sqlite"))
    try fixture.folder.write("old", to: "Out.sqlite")
    let run = Captured([
      "migrate", fixture.folder.path("Out.quarantine.sqlite"), "--output", output, "--models",
      fixture.catalogue,
      "--force",
    ])
    #expect(run.code == 64, "\(run.messages)")
    #expect(run.messages.contains("would replace") && run.messages.contains("Out.quarantine.sqlite"))
    #expect(try fixture.names() == ["Models", "Out.quarantine.sqlite", "Out.sqlite"])
  }
}
