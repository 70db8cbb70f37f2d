import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantConsole

@Suite("explain")
struct ExplainCommandTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  private func explain(_ options: String..., store: String = "Store.sqlite") -> Captured {
    Captured(["explain", fixture.folder.path(store), "--models", fixture.catalogue] + options)
  }

  /// Whether the output fits a screen, and whether all lines except commands and paths fit into 80 columns.
  private func fits(_ run: Captured) -> Bool {
    run.lines.count <= 25
      && run.lines.filter { line in
        // A path is never broken.
        !line.hasPrefix("    decant ") && line.split(separator: " ").count > 1
      }.allSatisfy { DisplayWidth.columns(of: $0) <= 80 }
  }

  private func words(_ run: Captured) -> String {
    run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func map(_ mappings: String) throws {
    try fixture.folder.write(
      "{ source: \"Notes\", destination: \"Notes 3\", entityMappings: [\(mappings)] }",
      to: "Models/Notes/Some.mapping.json5")
  }

  @Test("an inferred step: version, way, losses, and the commands that follow")
  func inferred() throws {
    let store = try fixture.store()
    let run = explain()
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.lines.first == "Store.sqlite has version “Notes” of family “Notes”.")
    let words = words(run)
    #expect(words.contains("Its version hashes are those of this version."), "\(run.output)")
    #expect(words.contains("“Notes” to “Notes 3”: inferred, "), "\(run.output)")
    #expect(words.contains("Every change can be inferred"), "\(run.output)")
    #expect(words.contains("Lost Note.mood: 5 values"), "\(run.output)")
    let line = run.lines.first { $0.hasPrefix("    decant mapping --new ") }
    // “Notes 2” is the last version that has the lost attribute.
    #expect(
      line?.contains("#Notes 2' ") == true && line?.hasSuffix("Notes 3.mapping.json5'") == true, "\(run.output)"
    )
    let models = fixture.catalogue
    let output = fixture.folder.path("Store-new.sqlite")
    #expect(
      run.lines.contains("    decant migrate \(store) --models \(models) --output \(output)"), "\(run.output)")
    #expect(run.lines.contains("    decant verify \(store) \(output) --models \(models)"), "\(run.output)")
    #expect(fits(run), "\(run.output)")
    let object = try JSONSerialization.jsonObject(with: Data(explain("--json").output.utf8)) as? [String: Any]
    #expect(object?["version"] as? String == "Notes" && object?["refusal"] is NSNull)
    #expect((object?["losses"] as? [[String: Any]])?.first?["values"] as? Int == 5)
    #expect((object?["steps"] as? [[String: Any]])?.count == 1)
  }

  @Test("a mapping model as text: its file, and what runs row by row")
  func text() throws {
    try map("{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\" }")
    try fixture.store()
    let run = explain()
    #expect(run.code == 0, "\(run.messages)")
    #expect(words(run).contains("“Notes” to “Notes 3”: Some.mapping.json5"), "\(run.output)")
    #expect(words(run).contains("The family has this mapping model for the pair: a text."), "\(run.output)")
    // The result can be compared only if the associations are kept.
    #expect(run.lines.contains { $0.hasPrefix("    decant migrate ") && $0.hasSuffix(" --keep-associations") })
    #expect(fits(run), "\(run.output)")
  }

  @Test("losses that are counted only when a later step begins are named")
  func uncounted() throws {
    for (name, versions, tags) in [
      ("One", ("Notes", "Notes 2"), #"{ source: "Tag", destination: "Tag" }"#),
      ("Two", ("Notes 2", "Notes 3"), #"{ remove: "Tag" }"#),
    ] {
      try fixture.folder.write(
        "{ source: \"\(versions.0)\", destination: \"\(versions.1)\", "
          + "entityMappings: [{ source: \"Note\", destination: \"Note\" }, \(tags)] }",
        to: "Models/Notes/\(name).mapping.json5")
    }
    try fixture.store()
    let run = explain()
    #expect(run.code == 0 && !run.output.contains("Nothing is lost."), "\(run.output)")
    #expect(words(run).contains("Nothing is lost that can be counted now. Counted when step 2 runs: "))
    let line = run.lines.first { $0.contains("Counted when step 2 runs: ") }
    #expect(line?.contains("Tag") == true && line?.contains("Note.mood") == true, "\(run.output)")
    #expect(fits(run), "\(run.output)")
    let object = try JSONSerialization.jsonObject(with: Data(explain("--json").output.utf8)) as? [String: Any]
    let late = (object?["uncounted"] as? [[String: Any]])?.first
    #expect(late?["step"] as? Int == 2 && late?["destination"] as? String == "Notes 3", "\(late ?? [:])")
    let names = late?["names"] as? [String] ?? []
    #expect(names.contains("Tag") && names.contains("Note.mood"), "\(names)")
  }

  @Test("for a version that two models have under the same name, no other name is shown")
  func sameName() throws {
    try FileManager.default.copyItem(
      atPath: fixture.bundle + "/Notes.xcdatamodel",
      toPath: fixture.folder.path("Models/Notes/Notes.xcdatamodel"))
    try fixture.store()
    let words = words(explain())
    #expect(
      words.contains("Its version hashes are those of this version") && !words.contains("named ."), "\(words)")
  }

  @Test("a missing policy: what is missing, and how to name its worker")
  func policy() throws {
    try map(
      "{ source: \"Note\", destination: \"Note\", policy: \"App.Policy\" }, { source: \"Tag\", destination: \"Tag\" }"
    )
    try fixture.store()
    let run = explain()
    #expect(words(run).contains("A policy makes the objects of NoteToNote: App.Policy."), "\(run.output)")
    // The only warning says what to do.
    #expect(words(run).contains("Warning The policy class “App.Policy” was not found."), "\(run.output)")
    #expect(
      run.lines.contains("    decant worker new notes-worker --models \(fixture.catalogue)"), "\(run.output)")
    #expect(run.lines.contains("    swift test --package-path notes-worker"), "\(run.output)")
    #expect(
      run.lines.contains {
        $0.hasSuffix(" --keep-associations --worker notes-worker/.build/debug/notes-worker")
      },
      "\(run.output)")
    #expect(words(run).contains("Lost: nothing, except values that the policies don't read."), "\(run.output)")
    #expect(fits(run), "\(run.output)")
    #expect(
      run.code == Captured(["plan", fixture.folder.path("Store.sqlite"), "--models", fixture.catalogue]).code)
  }

  @Test("the worker of --worker is used, and the next commands name this worker")
  func worker() throws {
    try map(
      "{ source: \"Note\", destination: \"Note\", policy: \"App.Policy\" }, { source: \"Tag\", destination: \"Tag\" }"
    )
    try fixture.store()
    let worker = URL(fileURLWithPath: Repository.program("decant")).deletingLastPathComponent()
      .appendingPathComponent("shapes-worker").path
    let run = explain("--worker", worker)
    #expect(run.code == 78, "\(run.messages)")
    #expect(words(run).contains("App.Policy"), "\(run.output)")
    #expect(!run.output.contains("decant worker new"), "\(run.output)")
    #expect(
      run.lines.contains {
        $0.hasPrefix("    decant migrate ") && $0.hasSuffix(" --keep-associations --worker \(worker)")
      }, "\(run.output)")
  }

  @Test("if --worker names a package's folder, the message says so")
  func folder() throws {
    try map(
      "{ source: \"Note\", destination: \"Note\", policy: \"App.Policy\" }, { source: \"Tag\", destination: \"Tag\" }"
    )
    try fixture.store()
    let folder = fixture.folder.url.path
    let run = explain("--worker", folder, "--json")
    #expect(
      run.output.contains("it is a folder; perhaps “\(folder)/.build/debug/NAME” is meant"), "\(run.output)")
  }

  @Test("a store that has the target version needs nothing")
  func current() throws {
    try fixture.store(version: "Notes 3")
    let run = explain()
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.output.contains("Nothing: the store has the target version already."), "\(run.output)")
    #expect(!run.output.contains("decant migrate") && !run.output.contains("decant mapping"))
    #expect(explain("--json").output.contains("\"isCurrent\": true"))
  }

  @Test("a store of an unknown version: its own model is used, or the message says what is missing")
  func unknown() throws {
    try fixture.cachingStore(version: "Notes 2", notes: 0)
    try fixture.store("Bare.sqlite", version: "Notes 2", notes: 0)
    try FileManager.default.removeItem(atPath: fixture.bundle + "/Notes 2.xcdatamodel")
    let own = explain()
    #expect(own.code == 0, "\(own.messages)")
    #expect(
      words(own).contains("The store keeps its own model; the nearest version is “Notes 3”."), "\(own.output)")
    let bare = explain(store: "Bare.sqlite")
    #expect(bare.code == 65)
    #expect(bare.lines.first == "Bare.sqlite: its version isn't known.", "\(bare.output)")
    #expect(bare.output.contains("The store isn't migrated: unknown-version"), "\(bare.output)")
    #expect(words(bare).contains("a version of the model that the catalogue lacks"), "\(bare.output)")
    #expect(bare.lines.contains { $0.hasPrefix("    decant inspect ") }, "\(bare.output)")
    #expect(fits(own) && fits(bare), "\(own.output)\n\(bare.output)")
  }

  @Test("a store of another app: the message says that it fits no family, and what to do")
  func foreign() throws {
    let model = try fixture.folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Song"/>
      <entity name="Album"/><entity name="Band"/></model>
      """, to: "Other.xcdatamodel/contents"
    ).deletingLastPathComponent().path
    let other = fixture.folder.path("Other.sqlite")
    try #require(Captured(["generate", model, "--rows", "4", "--output", other]).code == 0)
    let run = explain(store: "Other.sqlite")
    #expect(run.code == 65)
    #expect(
      words(run).contains("Other.sqlite fits no version of any family. It may be the store of another app."),
      "\(run.output)")
    #expect(words(run).contains("use that app's catalogue"), "\(run.output)")
    #expect(fits(run), "\(run.output)")
    let plan = Captured(["plan", other, "--models", fixture.catalogue])
    #expect(
      plan.code == 65 && plan.messages.contains("It may be the store of another app."), "\(plan.messages)")
  }

  @Test("a change that can't be inferred is named, with the command that writes the mapping model")
  func refused() throws {
    try fixture.folder.write(
      NotesFixture.contents(#"<attribute name="due" attributeType="Date"/>"#),
      to: "Models/Notes/Notes.xcdatamodeld/Notes 4.xcdatamodel/contents")
    let store = try fixture.store()
    let run = explain("--to", "Notes 4")
    #expect(run.code == 65)
    #expect(run.lines.first == "Store.sqlite has version “Notes” of family “Notes”.", "\(run.output)")
    #expect(words(run).contains("attribute “due” is new and required, and has no default"), "\(run.output)")
    #expect(words(run).contains("A mapping model has to say how the new values are made."), "\(run.output)")
    let line = run.lines.first { $0.hasPrefix("    decant mapping --new ") }
    #expect(
      line?.contains("Notes.xcdatamodeld#Notes 4' --output") == true
        && line?.hasSuffix("Notes 4.mapping.json5'") == true,
      "\(run.output)")
    #expect(run.lines.contains { $0.hasPrefix("    decant explain \(store) --models ") }, "\(run.output)")
    let json = explain("--to", "Notes 4", "--json").output
    #expect(json.contains("\"reason\": \"not-inferable\""), "\(json)")
  }

  @Test("a file that is no store, and a missing catalogue, have their exit codes")
  func badInput() throws {
    #expect(explain(store: "None.sqlite").code == 66)
    try fixture.folder.write("no store", to: "Text.sqlite")
    let run = explain(store: "Text.sqlite")
    #expect(run.code == 65 && run.output.contains("The store isn't migrated: not-sqlite"), "\(run.output)")
  }
}
