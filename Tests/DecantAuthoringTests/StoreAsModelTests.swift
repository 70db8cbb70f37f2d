import CommandSupport
import DecantModel
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("A store instead of a model")
struct StoreAsModelTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  @Test("hash, schema, diff and infer take the model that a store contains")
  func everyCommand() throws {
    let store = try fixture.cachingStore()
    let bundle = fixture.bundle
    #expect(Captured(["hash", store]).output == Captured(["hash", bundle + "#Notes"]).output)
    #expect(Captured(["schema", store]).output == Captured(["schema", bundle + "#Notes"]).output)
    #expect(Captured(["diff", store, bundle + "#Notes"]).output == "The models are equal.\n")
    #expect(
      Captured(["infer", store, bundle]).output == Captured(["infer", bundle + "#Notes", bundle]).output)
    #expect(Captured(["hash", store]).messages.isEmpty)
  }

  @Test("generate writes a store of the same version, and never over the store that it read the model from")
  func generate() throws {
    let store = try fixture.cachingStore()
    let before = FileManager.default.contents(atPath: store)
    let output = fixture.folder.path("New.sqlite")
    #expect(Captured(["generate", store, "--rows", "20", "--output", output]).code == 0)
    #expect(
      Captured(["inspect", output, "--models", fixture.catalogue]).output.contains("“Notes” of family “Notes”"))
    let same = Captured(["generate", store, "--rows", "20", "--output", store, "--force"])
    #expect(same.code == 64)
    #expect(same.messages.contains("is the source itself"))
    #expect(FileManager.default.contents(atPath: store) == before)
  }

  @Test("a cached model of another version than the metadata's is refused")
  func aCacheOfAnotherVersion() throws {
    let model = try ModelBundle.read(at: URL(fileURLWithPath: try fixture.unsettledModel())).currentVersion()
      .model
    let content = DeflateWriter.stored(CompiledModelWriter.data(model))
    let store = try fixture.cachingStore(cache: content)
    let run = Captured(["schema", store])
    #expect(run.code == 65)
    #expect(run.messages.contains("it is of another version than the metadata states"), "\(run.messages)")
  }

  @Test("for a store without a usable model the exit code is 65, and the message says what to give instead")
  func noModel() throws {
    let bare = try fixture.store("Bare.sqlite")
    let torn = try fixture.cachingStore("Torn.sqlite", cache: Data([0xff, 0xff]))
    try fixture.folder.write("text", to: "Text.sqlite")
    for (path, sentence, advice) in [
      (bare, "Bare.sqlite is a store that doesn't keep its own model", "Name a model instead"),
      (torn, "can't be used: it isn't a deflate stream", "Name a model instead"),
      (
        fixture.folder.path("Text.sqlite"), "is not an SQLite database",
        "Name a model instead"
      ),
    ] {
      for command in [["hash", path], ["schema", path], ["diff", fixture.bundle, path]] {
        let run = Captured(command)
        #expect(run.code == 65)
        #expect(run.output.isEmpty)
        #expect(run.messages.contains(sentence) && run.messages.contains(advice), "\(run.messages)")
      }
    }
  }

  @Test("a version name after a store is refused")
  func noVersions() throws {
    let run = Captured(["hash", try fixture.cachingStore() + "#Notes"])
    #expect(run.code == 64)
    #expect(run.messages.contains("is a store, which has no versions. Leave out “#Notes”."))
  }
}
