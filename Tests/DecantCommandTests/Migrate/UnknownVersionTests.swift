import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("inspect, plan, migrate and verify with a store of an unknown version")
struct UnknownVersionTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  /// A store of “Notes 2”, which is then removed from the catalogue.
  ///
  /// - Parameter hasMoods: Whether the store has notes, of which two thirds have a mood.
  private func lost(hasMoods: Bool) throws -> String {
    let store = try fixture.cachingStore(version: "Notes 2", notes: hasMoods ? 7 : 0)
    try FileManager.default.removeItem(atPath: fixture.bundle + "/Notes 2.xcdatamodel")
    return store
  }

  @Test("inspect says that the store keeps its own model, and names the nearest version")
  func inspect() throws {
    let store = try lost(hasMoods: true)
    let run = Captured(["inspect", store, "--models", fixture.catalogue])
    #expect(run.code == 0)
    #expect(
      run.output.contains("not in the catalogue, but the store keeps its own model"), "\(run.output)")
    #expect(run.output.contains("nearest: version “Notes 3”"), "\(run.output)")
    let json = Captured(["inspect", store, "--models", fixture.catalogue, "--json"]).output
    #expect(
      json.contains(#""recognition": "own-model""#) && json.contains(#""origin": "own-model""#), "\(json)")
  }

  @Test("plan and migrate use the store's own model and say so, and verify uses it, too")
  func migrate() throws {
    let store = try lost(hasMoods: false)
    let plan = Captured(["plan", store, "--models", fixture.catalogue])
    #expect(plan.code == 0, "\(plan.messages)")
    #expect(plan.output.contains("Version  the store's own model (nearest: Notes 3)"), "\(plan.output)")
    let words = plan.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("was taken from the store's own model cache. The nearest version is “Notes 3”."),
      "\(plan.output)")
    let json = Captured(["plan", store, "--models", fixture.catalogue, "--json"]).output
    #expect(json.contains(#""sourceOrigin": "own-model""#) && json.contains(#""nearestVersion": "Notes 3""#))
    let output = fixture.folder.path("New.sqlite")
    #expect(Captured(["migrate", store, "--models", fixture.catalogue, "--output", output]).code == 0)
    #expect(Captured(["verify", store, output, "--models", fixture.catalogue]).code == 0)
  }

  @Test("a store whose values would be lost is refused until the target is named")
  func losses() throws {
    let store = try lost(hasMoods: true)
    let refused = Captured(["plan", store, "--models", fixture.catalogue])
    #expect(refused.code == 65)
    #expect(refused.messages.contains("these values would be lost: Note.mood (5)"), "\(refused.messages)")
    #expect(Captured(["plan", store, "--models", fixture.catalogue, "--to", "Notes 3"]).code == 0)
  }
}
