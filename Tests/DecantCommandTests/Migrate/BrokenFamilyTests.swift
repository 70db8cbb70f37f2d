import CommandSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("migrate, plan and inspect beside a broken family")
struct BrokenFamilyTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  private func breakCopy(_ text: String, at path: String) throws {
    try FileManager.default.copyItem(
      atPath: fixture.folder.path("Models/Notes"), toPath: fixture.folder.path("Models/Copy"))
    try fixture.folder.write(text, to: "Models/Copy/\(path)")
  }

  @Test("a store that fits a broken family and a usable one waits, and the mistake is named")
  func shared() throws {
    try breakCopy("{ dataLos: \"refuse\" }", at: "family.json5")
    let store = try fixture.store()
    let output = fixture.folder.path("New.sqlite")
    for command in [["plan", store], ["migrate", store, "--output", output]] {
      let run = Captured(command + ["--models", fixture.catalogue])
      #expect(run.code == 78 && run.messages.contains("dataLos"), "\(run.messages)")
      #expect(run.messages.contains("“Copy”, “Notes”"), "\(run.messages)")
    }
    #expect(!FileManager.default.fileExists(atPath: output))
    let inspected = Captured(["inspect", store, "--models", fixture.catalogue])
    #expect(inspected.output.contains("known to several families: “Copy”, “Notes”"), "\(inspected.output)")
    let named = ["migrate", store, "--models", fixture.catalogue, "--output", output]
    #expect(Captured(named + ["--family", "Copy"]).code == 78)
    #expect(Captured(named + ["--family", "Notes"]).code == 0)
  }

  @Test("a family without a readable model is named in plan and report; stores of other families don't wait")
  func unreadable() throws {
    try breakCopy("x", at: "README")
    try FileManager.default.removeItem(atPath: fixture.folder.path("Models/Copy/Notes.xcdatamodeld"))
    try fixture.folder.write("<model", to: "Models/Copy/Notes.xcdatamodeld/Notes.xcdatamodel/contents")
    let store = try fixture.store()
    let output = fixture.folder.path("New.sqlite")
    for json in [[], ["--json"]] {
      for command in [["plan", store], ["migrate", store, "--force", "--output", output]] {
        let run = Captured(command + ["--models", fixture.catalogue] + json)
        #expect(run.code == 0, "\(run.messages)")
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("The family “Copy” of the catalogue was ignored"), "\(words)")
      }
    }
  }

  @Test("a family with an unreadable old version is named in plan and report")
  func partlyUnreadable() throws {
    try breakCopy("<model", at: "Notes.xcdatamodeld/Notes.xcdatamodel/contents")
    let store = try fixture.store()
    let output = fixture.folder.path("New.sqlite")
    for command in [["plan", store], ["migrate", store, "--force", "--output", output]] {
      let run = Captured(command + ["--models", fixture.catalogue])
      #expect(run.code == 0, "\(run.messages)")
      let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("“Copy” of the catalogue was ignored, because not all of its"), "\(words)")
    }
  }

  @Test("if --models is a bundle, the mapping model beside it is used, and plan and report say so")
  func bundleAlone() throws {
    try fixture.folder.write(
      """
      { source: "Notes", destination: "Notes 3", entityMappings: [
        { source: "Note", destination: "Note", attributes: { text: "$source.mood" } },
        { source: "Tag", destination: "Tag" } ] }
      """, to: "Models/Notes/Step.mapping.json5")
    let store = try fixture.store()
    let plan = Captured(["plan", store, "--models", fixture.bundle])
    #expect(plan.code == 0 && plan.output.contains("Step"), "\(plan.output)\(plan.messages)")
    let words = plan.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("Files beside Notes.xcdatamodeld are used, too: “Step.mapping.json5”"), "\(words)")
    let output = fixture.folder.path("New.sqlite")
    let run = Captured(["migrate", store, "--models", fixture.bundle, "--output", output])
    #expect(run.code == 0 && run.output.contains("are used, too"), "\(run.output)\(run.messages)")
    #expect(Captured(["check", fixture.bundle]).output.contains("are used, too"))
  }
}
