import CommandSupport
import DecantMigration
import DecantSQLite
import DecantTestSupport
import DecantVerification
import Foundation
import Testing

@testable import DecantCommand

@Suite("verify")
struct VerifyCommandTests {
  let fixture: NotesFixture
  let store: String
  let output: String

  init() throws {
    fixture = try NotesFixture()
    store = try fixture.store()
    output = fixture.folder.path("Out.sqlite")
    try #require(Captured(["migrate", store, "--output", output, "--models", fixture.catalogue]).code == 0)
  }

  private func verify(_ source: String, _ destination: String, _ more: String...) -> Captured {
    Captured(["verify", source, destination, "--models", fixture.catalogue] + more)
  }

  @Test("a migrated store is equal, and so is a store to itself")
  func equal() throws {
    let run = verify(store, output)
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.output.hasPrefix("Equal.\n"))
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    let quiet = verify(store, store, "--quiet")
    #expect(quiet.code == 0 && quiet.output.isEmpty && quiet.messages.isEmpty)
    #expect(try fixture.names() == ["Models", "Out.sqlite", "Store.sqlite"])
  }

  @Test(
    "differences are listed, and the exit code is 65",
    arguments: [
      ("UPDATE ZNOTE SET ZTEXT = 'forged' WHERE Z_PK = 3", "Note.text"),
      ("DELETE FROM ZNOTE WHERE Z_PK = 2", "Note"), ("DELETE FROM Z_1TAGS", "tags"),
    ])
  func different(statement: String, name: String) throws {
    try SQLiteDatabase(output, mode: .readWrite).execute(statement)
    let run = verify(store, output)
    #expect(run.code == 65)
    #expect(run.output.contains("difference"))
    #expect(run.output.contains(name))
    let quiet = verify(store, output, "--quiet")
    #expect(quiet.code == 65 && quiet.messages.isEmpty)
    #expect(run.output.contains("Compared: ") && !quiet.output.contains("Compared: "))
    #expect(run.output.hasPrefix(quiet.output) && quiet.output.contains(name))
    let json = verify(store, output, "--json", "--quiet")
    #expect(json.code == 65)
    #expect(json.messages.isEmpty)
    let report = try JSONDecoder().decode(Verification.Report.self, from: Data(json.output.utf8))
    #expect(!report.isEqual && !report.differences.isEmpty)
  }

  @Test("for stores that don't belong together, and for other files, the message is a sentence")
  func wrong() throws {
    let missing = verify(store, fixture.folder.path("None"))
    #expect(missing.code == 66)
    try fixture.folder.write("Dear diary", to: "text")
    #expect(verify(store, fixture.folder.path("text")).code == 65)
    #expect(verify(store, output, "--family", "Nothing").code == 64)
    let strict = NotesFixture.contents(#"<attribute name="due" optional="YES" attributeType="Date"/>"#)
    let path = try fixture.folder.write(strict, to: "Other.xcdatamodel/contents").deletingLastPathComponent()
      .path
    let other = fixture.folder.path("Other.sqlite")
    try #require(Captured(["generate", path, "--rows", "4", "--output", other]).code == 0)
    let foreign = verify(store, other)
    #expect(foreign.code == 65)
    #expect(foreign.output.contains("differences"))
    let unknown = verify(other, store)
    #expect(unknown.code == 65)
    #expect(unknown.messages.contains("The nearest is version"))
  }
}
