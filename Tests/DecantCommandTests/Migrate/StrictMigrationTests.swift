import CommandSupport
import DecantMigration
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("migrate --strict")
struct StrictMigrationTests {
  let fixture: NotesFixture
  let store: String
  var output: String { fixture.folder.path("Out.sqlite") }

  init() throws {
    fixture = try NotesFixture()
    store = try fixture.store()
  }

  private func migrate(_ more: String...) -> Captured {
    Captured(["migrate", store, "--output", output, "--models", fixture.catalogue] + more)
  }

  @Test("a loss that the family doesn't accept exits with 65, and no file is left")
  func refused() throws {
    for more in ["--strict", "--dry-run"] {
      let run = migrate("--strict", more)
      #expect(run.code == 65)
      #expect(run.messages.contains("attribute “Note.mood” with 5 values"))
      #expect(run.messages.contains("\n  acceptedLosses: [\"Note.mood\"]\n"), "\(run.messages)")
      #expect(try fixture.names() == ["Models", "Store.sqlite"])
    }
    try fixture.folder.write("precious", to: "Out.sqlite")
    #expect(migrate("--strict", "--force").code == 65)
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "precious")
    #expect(try fixture.names() == ["Models", "Out.sqlite", "Store.sqlite"])
  }

  @Test("plan --strict gives the same message, and plan --rewrite plans a store at its target")
  func planned() throws {
    let plan = ["plan", store, "--models", fixture.catalogue]
    let run = Captured(plan + ["--strict"])
    #expect(run.code == 65 && run.messages.contains("attribute “Note.mood” with 5 values"), "\(run.messages)")
    #expect(Captured(plan + ["--strict", "--to", "Notes 2"]).code == 0)
    let current = Captured(plan + ["--to", "Notes"]).output
    let rewritten = Captured(plan + ["--to", "Notes", "--rewrite"]).output
    #expect(!current.contains("Entity mapping") && rewritten.contains("  NoteToNote      copy"), "\(rewritten)")
    #expect(rewritten.contains("Written as a new file: a new file is asked for (--rewrite)."), "\(rewritten)")
  }

  @Test("the reason is data-loss in JSON")
  func json() {
    let run = migrate("--strict", "--json")
    #expect(run.code == 65)
    #expect((run.output + run.messages).contains(#""reason": "data-loss""#), "\(run.output)\(run.messages)")
  }

  @Test("an accepted loss is shown as accepted, and the store is migrated")
  func accepted() throws {
    try fixture.folder.write("{ acceptedLosses: [\"Note.mood\"] }", to: "Models/Notes/family.json5")
    let run = migrate("--strict")
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.output.contains("attribute  Note.mood  5  values (accepted)"), "\(run.output)")
    #expect(try fixture.names() == ["Models", "Out.sqlite", "Store.sqlite"])
  }

  @Test("a store without lost values is migrated")
  func nothingLost() {
    let run = migrate("--strict", "--to", "Notes 2")
    #expect(run.code == 0, "\(run.messages)")
  }

  @Test("the result of a run without --strict isn't put into place, and is kept for a run without --strict")
  func finishedBefore() throws {
    do {
      let folder = try WorkFolder(
        output + ".decant", source: StoreFiles(store),
        arguments: [URL(fileURLWithPath: fixture.catalogue).resolvingSymlinksInPath().path, "", "", ""])
      let result = StoreFiles(folder.result + "/Out.sqlite")
      var job = MigrationJob(
        source: URL(fileURLWithPath: store), output: URL(fileURLWithPath: result.store),
        workFolder: URL(fileURLWithPath: folder.work), catalogue: URL(fileURLWithPath: fixture.catalogue))
      job.notesResult = true
      fixture.settle()
      let report = try Migration.run(job)
      try folder.finish(result, report: JSONEncoder().encode(report))
    }
    let strict = migrate("--strict")
    #expect(strict.code == 65)
    #expect(strict.messages.contains("Without --strict the same command puts it into place"))
    #expect(!FileManager.default.fileExists(atPath: output))
    let run = migrate()
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.messages.hasPrefix("decant: The last run has finished Store.sqlite; putting it into place.\n"))
  }
}
