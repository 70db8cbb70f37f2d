import CommandSupport
import DecantSQLite
import DecantSynthesis
import Foundation
import Testing

@testable import DecantCommand

@Suite("generate")
struct GenerateCommandTests {
  let fixture: NotesFixture
  var output: String { fixture.folder.path("Out.sqlite") }

  init() throws { fixture = try NotesFixture() }

  private func generate(_ more: String...) -> Captured {
    Captured(["generate", fixture.bundle + "#Notes", "--rows", "50", "--output", output] + more)
  }

  @Test("a store of the model is written, the same for the same seed, and no other file is left")
  func writes() throws {
    let run = generate()
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.messages.hasPrefix("decant: Writing 50 rows.\n"))
    #expect(run.output.hasPrefix("Written: \(output) ("))
    #expect(run.lines.contains("  Note      25"))
    #expect(try fixture.names() == ["Models", "Out.sqlite"])
    let first = try Data(contentsOf: URL(fileURLWithPath: output))
    #expect(generate("--force", "--quiet", "--seed", "1").messages.isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == first)
    #expect(generate("--force", "--seed=2").code == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) != first)
    let inspected = Captured(["inspect", output, "--models", fixture.catalogue]).output
    #expect(inspected.contains("“Notes” of family “Notes”"))
    #expect(Captured(["migrate", output, "--output", output + "2", "--models", fixture.catalogue]).code == 0)
  }

  @Test("numbers and dates are as in apps; only with --extremes are they at the ends of their types")
  func extremes() throws {
    let types = ["Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Decimal"]
    let attributes = types.enumerated().map {
      "<attribute name=\"n\($0)\" optional=\"YES\" attributeType=\"\($1)\"/>"
    }
    try fixture.folder.write(
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">"
        + "<entity name=\"A\" syncable=\"YES\">\(attributes.joined())"
        + "<attribute name=\"day\" optional=\"YES\" attributeType=\"Date\"/></entity></model>",
      to: "All.xcdatamodel/contents")
    func outside(_ more: String...) throws -> Int {
      let run = Captured(
        ["generate", fixture.folder.path("All.xcdatamodel"), "--rows", "400", "--force", "--output", output]
          + more)
      try #require(run.code == 0, "\(run.messages)")
      let database = try SQLiteDatabase(output, mode: .readWrite)
      return try types.indices.map { "ZN\($0) NOT BETWEEN 0 AND 10000" }.reduce(into: 0) {
        $0 += try database.integer("SELECT count(*) > 0 FROM ZA WHERE \($1)")
      } + database.integer("SELECT count(*) > 0 FROM ZA WHERE ZDAY NOT BETWEEN 0 AND 805000000")
    }
    #expect(try outside() == 0)
    #expect(try outside("--extremes") == types.count + 1)
  }

  @Test("an existing file is kept without --force")
  func force() throws {
    try fixture.folder.write("precious", to: "Out.sqlite")
    let run = generate()
    #expect(run.code == 73)
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "precious")
    #expect(try fixture.names() == ["Models", "Out.sqlite"])
  }

  @Test("JSON has the numbers of rows, and a framework version can be named")
  func json() throws {
    let run = generate("--json", "--framework", "419")
    let summary = try JSONDecoder().decode(SyntheticStore.Summary.self, from: Data(run.output.utf8))
    #expect(summary.entities == ["Note": 25, "Tag": 25])
    #expect(Captured(["inspect", output]).output.contains("framework version 419"))
  }

  @Test(
    "wrong numbers exit with 64", arguments: ["--rows=-1", "--rows=many", "--rows=9999999999"])
  func wrong(rows: String) throws {
    let run = Captured(["generate", fixture.bundle, rows, "--output", output])
    #expect(run.code == 64)
    #expect(run.messages.contains("“--rows” needs a whole number from 0 to 1000000000"))
  }

  @Test("a table's name that isn't known for certain exits with 65 and is named, and no file is left")
  func unsettled() throws {
    let run = Captured(["generate", try fixture.unsettledModel(), "--rows", "1", "--output", output])
    #expect(run.code == 65)
    #expect(run.messages.contains("Note.tags") || run.messages.contains("Tag.notes"))
    #expect(try !fixture.names().contains { $0.hasPrefix("Out") })
  }
}
