import CommandSupport
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantConsole
@testable import DecantMigration

@Suite("check")
struct CheckCommandTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  private func map(_ mappings: String) throws {
    try fixture.folder.write(
      "{ source: \"Notes 2\", destination: \"Notes 3\", entityMappings: [\(mappings)] }",
      to: "Models/Notes/Step.mapping.json5")
  }

  @Test("without an error the exit code is 0, and the path of each version is shown")
  func well() throws {
    try map("{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\" }")
    try fixture.folder.write("{ acceptedLosses: [\"Note.mood\"] }", to: "Models/Notes/family.json5")
    let run = Captured(["check", fixture.catalogue, "--strict"])
    #expect(run.code == 0, "\(run.output)")
    #expect(
      run.output == """
        Family Notes: no problem
          Version  Path to the target
          Notes    Notes 2 (inferred), then Notes 3 (Step)
          Notes 2  Notes 3 (Step)
          Notes 3  is the target
          Mapping model  Versions           Entity mappings  Runs
          Step           Notes 2 → Notes 3                2  2 as a set

        1 family: no problem

        """)
  }

  @Test("the name of a mapping model is shown beside the file's name if they differ")
  func names() throws {
    try fixture.folder.write(
      "{ name: \"Pass\", source: \"Notes 2\", destination: \"Notes 3\", entityMappings: [] }",
      to: "Models/Notes/Step.mapping.json5")
    let run = Captured(["check", fixture.catalogue])
    #expect(run.lines.contains { $0.hasPrefix("  Pass (Step.mapping.json5)  Notes 2 → ") }, "\(run.output)")
  }

  @Test("versions fit into 80 columns, whatever their other names are")
  func versions() throws {
    func lines(_ name: String, equal: String) -> [String] {
      var family = FamilyReport(name: "Notas", path: "/models/Notas", isUsable: true)
      family.versions = [
        .init(
          name: "Uno", names: ["Uno"], paths: [], reach: .reached,
          steps: [.init(source: "Uno", destination: name, mappingModels: [])]),
        .init(name: name, names: [name, equal], paths: [], reach: .isTarget, steps: []),
      ]
      return CatalogueText.lines(CatalogueReport(families: [family])).flatMap {
        $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
    }
    let long = String(repeating: "Versión", count: 7)
    #expect(lines("Dos", equal: "Tres").contains("  Dos (equal: Tres)  is the target"))
    #expect(lines("Dos", equal: long + "Versión").contains("  Dos      is the target (equal:"))
    #expect(lines(long, equal: "Tres").contains("  Version \(long) (equal: Tres): is"))
    for line in lines("Dos", equal: long + "Versión") + lines(long, equal: "Tres") {
      #expect(DisplayWidth.columns(of: line) <= 80, "\(line)")
    }
  }

  @Test("policies fit into 80 columns, whatever the path of the worker and the names are")
  func policies() throws {
    let worker =
      "/home/someone/projects/" + String(repeating: "a-long-folder/", count: 6) + ".build/notas-worker"
    func lines(_ name: String, _ mappings: [String]) -> [String] {
      var family = FamilyReport(name: "Notas", path: "/models/Notas", isUsable: true)
      family.policies = [
        .init(kind: .className, name: name, entityMappings: mappings, path: worker),
        .init(kind: .className, name: "Otra", entityMappings: ["Step: A"], path: nil),
      ]
      return CatalogueText.lines(CatalogueReport(families: [family])).flatMap {
        $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
    }
    let short = lines("App.NotaPolicy", ["Step: NotaToNota"])
    #expect(
      short[1...4] == [
        "  Policy          Kind   Found in      Entity mappings",
        "  App.NotaPolicy  class  notas-worker  Step: NotaToNota",
        "  Otra            class  -             Step: A",
        short[4],
      ])
    #expect(short[4].hasPrefix("  in …") && short[4].hasSuffix("a-long-folder/.build/notas-worker"))
    let long = lines(
      "ApplicationModule.VeryLongNameOfAPolicyClassWithItsOwnPrefix",
      (1...3).map { "Step: AVeryLongNameOfAnEntityMapping\($0)" })
    #expect(
      long[1].hasPrefix("  Policy ApplicationModule.") && long.contains { $0.contains("found in notas-worker") }
    )
    for line in short + long { #expect(DisplayWidth.columns(of: line) <= 80, "\(line)") }
  }

  @Test("the exit code is 78 for an error, and with --strict also for a warning")
  func codes() throws {
    #expect(Captured(["check", fixture.catalogue]).code == 0)
    let strict = Captured(["check", fixture.catalogue, "--strict"])
    #expect(strict.code == 78 && strict.output.contains("1 family: 1 warning"), "\(strict.output)")
    let words = strict.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("“Note.mood” is dropped on the path to “Notes 3” from “Notes”, “Notes 2”."))
    try map("{ source: \"Note\", destination: \"Note\" }")
    let forgetful = Captured(["check", fixture.catalogue])
    #expect(forgetful.code == 78 && forgetful.output.contains("objects of “Tag”"), "\(forgetful.output)")
    try map("{ source: \"Note\", destination: \"Note\", policy: \"App.Policy\" }")
    let run = Captured(["check", fixture.catalogue])
    #expect(run.code == 78 && run.lines.contains { $0.hasPrefix("  error: The policy class “App.Policy”") })
    try map(
      "{ source: \"Note\", destination: \"Note\", filter: \"zz != nil\" }, { source: \"Tag\", destination: \"Tag\" }"
    )
    let wrong = Captured(["check", fixture.bundle + "/.."])
    #expect(wrong.code == 78)
    #expect(
      wrong.output.contains("  error: Step.mapping.json5, line 1: entity mapping “NoteToNote”"),
      "\(wrong.output)")
  }

  @Test("JSON has stable keys")
  func json() throws {
    try map("{ source: \"Note\", destination: \"Note\" }")
    let run = Captured(["check", fixture.catalogue, "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let family = try #require((object?["families"] as? [[String: Any]])?.first)
    #expect(
      Set(family.keys) == [
        "findings", "isUsable", "name", "pairs", "path", "policies", "unusedFiles", "versions",
      ])
    #expect((family["versions"] as? [Any])?.count == 3 && (family["findings"] as? [Any])?.count == 3)
    try map("{ source: \"Note\",\n destination: \"Note\",\n filter: \"zz != nil\" }")
    let wrong = Captured(["check", fixture.catalogue, "--json"])
    let report = try JSONSerialization.jsonObject(with: Data(wrong.output.utf8)) as? [String: Any]
    let findings = (report?["families"] as? [[String: Any]])?.first?["findings"] as? [[String: Any]]
    let error = try #require(findings?.first)
    #expect(
      (error["file"] as? String)?.hasSuffix("/Notes/Step.mapping.json5") == true && error["line"] as? Int == 3)
  }

  @Test("a missing catalogue, an unknown family and an empty catalogue have different exit codes")
  func nothing() throws {
    #expect(Captured(["check", fixture.folder.path("None")]).code == 66)
    #expect(Captured(["check", fixture.catalogue, "--family", "Other"]).code == 64)
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path("Empty"), withIntermediateDirectories: true)
    let empty = Captured(["check", fixture.folder.path("Empty"), "--json"])
    #expect(empty.code == 78 && empty.output.contains("holds no family"))
  }
}
