import CommandSupport
import DecantMigration
import DecantReport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("Failures with --json")
struct FailureJSONTests {
  private struct Shown: Decodable {
    struct Failure: Decodable {
      let reason: String
      let message: String
      let advice: String
      let details: [String]
      let coreDataCode: Int?
    }
    let error: Failure
  }

  private func failure(_ arguments: [String], _ code: Int32) throws -> Shown.Failure {
    let run = Captured(arguments)
    #expect(run.code == code, "\(run.messages)")
    let failure = try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8)).error
    #expect(FailureReason(word: failure.reason).exitCodes.contains(code), "\(failure.reason)")
    // The message still goes to standard error.
    #expect(run.messages.contains(failure.message), "\(run.messages)")
    return failure
  }

  @Test("the JSON has reason, message, advice and Core Data's code; the exit code is the same")
  func failures() throws {
    let fixture = try AlbumFixture()
    try fixture.change("CREATE TABLE grdb (a)")
    for command in [["plan"], ["migrate", "--rewrite", "--output", fixture.folder.path("New.sqlite")]] {
      let refused = try failure(command + [fixture.store, "--models", fixture.catalogue, "--json"], 65)
      #expect(refused.reason == "unknown-tables")
      #expect(refused.coreDataCode == 134_020)
      #expect(refused.message.contains("grdb"))
      #expect(!refused.advice.isEmpty)
    }
    #expect(try failure(["inspect", fixture.folder.path("no"), "--json"], 66).reason == "no-such-file")
    #expect(try failure(["inspect", "--json"], 64).reason == "usage")
    let target = try failure(
      ["plan", fixture.store, "--models", fixture.catalogue, "--to", "Nix", "--json"], 65)
    #expect(target.reason == "unknown-tables")
    let text = try fixture.folder.write("Dear diary", to: "text").path
    #expect(try failure(["inspect", "--json", text], 65).reason == "not-sqlite")
    let broken = try fixture.folder.write("<model>", to: "B.xcdatamodel/contents").deletingLastPathComponent()
      .path
    #expect(try failure(["hash", broken, "--json"], 65).reason == "bad-model")
    let strict = AlbumFixture.contents.replacing(
      #"<entity name="Tag">"#, with: #"<entity name="Tag"><attribute name="need" attributeType="String"/>"#)
    let model = try fixture.folder.write(strict, to: "S.xcdatamodel/contents").deletingLastPathComponent().path
    let inference = try failure(["infer", fixture.model, model, "--json"], 65)
    #expect(inference.reason == "not-inferable")
    #expect(inference.coreDataCode == 134_190)
  }

  @Test("without --json, after “--”, or for a command without JSON, no JSON is printed")
  func silent() throws {
    for arguments in [
      ["inspect", "/nowhere"], ["inspect", "--", "--json"], ["classes", "/nowhere", "--json"],
      ["nonsense", "--json"],
    ] {
      let run = Captured(arguments)
      #expect(run.code != 0)
      #expect(run.output.isEmpty, "\(run.output)")
    }
  }
}
