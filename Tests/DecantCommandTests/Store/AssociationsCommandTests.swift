import CommandSupport
import DecantMigration
import DecantPasses
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("associations")
struct AssociationsCommandTests {
  let fixture: NotesFixture
  let store: String
  let output: String
  var file: String { fixture.folder.path("Out.associations.sqlite") }

  init() throws {
    fixture = try NotesFixture()
    store = try fixture.store()
    output = fixture.folder.path("Out.sqlite")
    try fixture.folder.write(
      """
      { source: "Notes", destination: "Notes 3", entityMappings: [
        { source: "Note", destination: "Note", filter: "mood != nil", attributes: { text: "uppercase($source.text)" } },
        { source: "Tag", destination: "Tag" } ] }
      """, to: "Models/Notes/Step.mapping.json5")
  }

  private func migrate(_ more: String...) -> Captured {
    Captured(
      ["migrate", store, "--output", output, "--models", fixture.catalogue, "--quiet", "--keep-associations"]
        + more)
  }

  private func verify(_ more: String...) -> Captured {
    Captured(["verify", store, output, "--models", fixture.catalogue] + more)
  }

  @Test("the report names the association file, which is beside the store and can be printed")
  func kept() throws {
    let run = migrate()
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.output.contains("Associations: Out.associations.sqlite, beside it"))
    #expect(try fixture.names() == ["Models", "Out.associations.sqlite", "Out.sqlite", "Store.sqlite"])
    let shown = Captured(["associations", file])
    #expect(shown.code == 0 && shown.output.contains("Step 1, “Notes” to “Notes 3”"), "\(shown.messages)")
    #expect(shown.lines.contains { $0.hasPrefix("  NoteToNote") && $0.hasSuffix("as a set") })
    let uris = Captured(["associations", file, "--uris"]).lines.filter { !$0.isEmpty }
    #expect(
      uris.count == 6 && uris.allSatisfy { $0.hasPrefix("x-coredata://") && $0.contains("\tx-coredata://") })
    let json = Captured(["associations", file, "--json"])
    #expect(json.output.contains("\"associations\": 5") && json.output.contains("\"way\": \"set\""))
  }

  @Test("verify uses the named association file, or the file beside the destination")
  func verified() throws {
    #expect(migrate("--json").output.contains("\"associations\": \"Out.associations.sqlite\""))
    #expect(verify().output.hasPrefix("Equal.\n"))
    let other = fixture.folder.path("Other")
    try FileManager.default.moveItem(atPath: file, toPath: other)
    let needed = verify("--json")
    #expect(needed.code == 65 && needed.output.contains("needs-associations"))
    #expect(verify("--associations", other).code == 0)
    #expect(verify("--associations", store).output.isEmpty && verify("--associations", store).code == 65)
    #expect(verify("--associations", fixture.folder.path("None")).code == 66)
    try SQLiteDatabase(output, mode: .readWrite).execute("UPDATE ZNOTE SET ZTEXT = lower(ZTEXT) WHERE Z_PK = 2")
    let changed = verify("--associations", other)
    #expect(changed.code == 65 && changed.output.contains("“Note.text”: 1 value changed (key 2)"))
  }

  @Test("an existing association file is kept without --force; --force replaces it with the store")
  func replacing() throws {
    try fixture.folder.write("mine", to: "Out.associations.sqlite")
    let refused = migrate()
    #expect(refused.code == 73 && refused.messages.contains("Out.associations.sqlite exists already"))
    #expect(migrate("--force").code == 0)
    #expect(Captured(["associations", file]).code == 0)
    // A store without associations is written. The association file of the earlier store is removed.
    let run = Captured([
      "migrate", store, "--output", output, "--models", fixture.catalogue, "--quiet", "--force",
    ])
    #expect(run.code == 0)
    #expect(try fixture.names() == ["Models", "Out.sqlite", "Store.sqlite"])
  }

  @Test("a file that is no association file is refused with a sentence", arguments: ["text", "Store.sqlite"])
  func foreign(name: String) throws {
    try fixture.folder.write("Dear diary", to: "text")
    let run = Captured(["associations", fixture.folder.path(name)])
    #expect(run.code == 65 && run.messages.contains("--keep-associations"))
    #expect(Captured(["associations", fixture.folder.path("None")]).code == 66)
  }
}
