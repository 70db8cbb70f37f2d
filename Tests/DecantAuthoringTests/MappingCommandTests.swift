import CommandSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand

@Suite("mapping")
struct MappingCommandTests {
  let fixture: NotesFixture

  init() throws { fixture = try NotesFixture() }

  /// Writes a mapping model, beside the fixture's models by default, and returns its path.
  private func write(
    _ mappings: String, source: String = "Notes", in folder: String = "Models/Notes"
  ) throws -> String {
    let path = "\(folder)/Some.mapping.json5"
    let text = "{ source: \"\(source)\", destination: \"Notes 3\", entityMappings: [\(mappings)] }"
    try fixture.folder.write(text, to: path)
    return fixture.folder.path(path)
  }

  @Test("a text that isn't an expression is shown below the message, with a mark under the fault")
  func syntax() throws {
    let run = Captured(["mapping", try write("{ source: \"Tag\", destination: \"Tag\", filter: \"name ==\" }")])
    #expect(run.code == 65)
    #expect(run.messages.hasSuffix("\n    name ==\n           ^\n"), "\(run.messages)")
  }

  @Test("a fault in one expression doesn't hide other faults")
  func everything() throws {
    let path = try write(
      "{ source: \"Tag\", destination: \"Tag\", filter: \"name ==\" },\n{ name: \"B\", source: \"Tagg\", destination: \"Tag\" }"
    )
    let run = Captured(["mapping", path])
    #expect(run.code == 65)
    #expect(run.messages.contains("\(path) is not a readable mapping model:"), "\(run.messages)")
    #expect(run.messages.contains("line 1, column "), "\(run.messages)")
    #expect(
      run.messages.contains(", line 2: entity mapping “B”: the source model has no entity “Tagg”"),
      "\(run.messages)")
  }

  @Test(
    "a relationship's name that is an attribute is reported with its own line, not with the attribute's line")
  func line() throws {
    let run = Captured([
      "mapping",
      try write(
        "{ source: \"Tag\", destination: \"Tag\",\nattributes: { name: \"$source.name\" },\n"
          + "relationships: { name: \"$source.name\" } }"),
    ])
    #expect(run.code == 65)
    #expect(
      run.messages.contains(", line 3: entity mapping “TagToTag”, “name”: it is an attribute"),
      "\(run.messages)")
  }

  @Test("prints the text with the models of the file's folder, without the parts that are defaults")
  func text() throws {
    let run = Captured(["mapping", try write("{ source: \"Tag\", destination: \"Tag\" }")])
    #expect(run.code == 0, "\(run.messages)")
    #expect(
      run.output == """
        // Attributes and relationships that aren't named are mapped by renaming identifier and name.
        {
          name: "Some",
          source: "Notes",
          destination: "Notes 3",
          entityMappings: [
            { name: "TagToTag", source: "Tag", destination: "Tag" },
          ],
        }

        """)
  }

  @Test("reports on standard error what doesn't fit the models, and prints JSON with the findings")
  func findings() throws {
    let path = try write("{ source: \"Tag\", destination: \"Tagg\" }")
    let run = Captured(["mapping", path, "--json", "--models", fixture.catalogue])
    // A script that saves the text sees the fault in the exit code.
    #expect(run.code == 65)
    #expect(Captured(["mapping", path]).code == 65 && Captured(["mapping", path]).output.contains("Tagg"))
    #expect(run.messages.contains("error: "))
    #expect(run.messages.contains("the destination model has no entity “Tagg”. Perhaps “Tag” is meant."))
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(
      Set(object?.keys.map { $0 } ?? []) == [
        "acceptStaleHashes", "destination", "entityMappings", "findings", "name", "order", "others",
        "source", "validation",
      ])
    let findings = try #require(object?["findings"] as? [[String: Any]])
    #expect(findings.count == 1 && findings[0]["line"] as? Int == 1)
    #expect((findings[0]["file"] as? String)?.hasSuffix(".mapping.json5") == true)
  }

  @Test("reports the comments that are lost, but not the comment that it writes itself")
  func comments() throws {
    let path = try write("{ source: \"Tag\", destination: \"Tag\" } /* all of\n them */")
    var run = Captured(["mapping", path])
    #expect(run.code == 0)
    #expect(run.messages.contains("its comment “all of them” is not in the output."), "\(run.messages)")
    try fixture.folder.write("// first\n" + run.output + "// second\n", to: "Models/Notes/Some.mapping.json5")
    run = Captured(["mapping", path])
    #expect(
      run.messages.contains("2 comments are not in the output; the first is “first”."), "\(run.messages)")
    try fixture.folder.write(run.output, to: "Models/Notes/Some.mapping.json5")
    #expect(Captured(["mapping", path]).messages == "")
  }

  @Test("has the right exit code if the file is missing or unreadable, or if its versions are unknown")
  func failures() throws {
    #expect(Captured(["mapping", fixture.folder.path("None.cdm")]).code == 66)
    try fixture.folder.write("{", to: "Elsewhere/Bad.mapping.json5")
    let bad = Captured(["mapping", fixture.folder.path("Elsewhere/Bad.mapping.json5")])
    #expect(bad.code == 65 && bad.messages.contains("line 1, column 2"))
    try fixture.folder.write(
      "{ sorce: \"Notes\", destination: \"Notes 3\" }", to: "Elsewhere/Typo.mapping.json5")
    let typo = Captured(["mapping", fixture.folder.path("Elsewhere/Typo.mapping.json5")])
    #expect(typo.code == 65)
    #expect(
      typo.messages.contains("the mapping model has no key “sorce”; perhaps “source” is meant.\n"),
      "\(typo.messages)")
    let unknown = Captured(["mapping", try write("", source: "Unknown", in: "Elsewhere")])
    #expect(unknown.code == 65 && unknown.messages.contains("--models DIR"))
    let lost = Captured([
      "mapping", try write("", source: "Unknown", in: "Elsewhere"), "--models", fixture.catalogue,
    ])
    #expect(
      lost.code == 65
        && lost.messages.contains("line 1: the family has no version “Unknown”; the versions are: "))
    try fixture.folder.write("x", to: "Elsewhere/Other.txt")
    #expect(Captured(["mapping", fixture.folder.path("Elsewhere/Other.txt")]).code == 65)
  }

  @Test("an unknown version is reported with its line and a similar name, together with other faults")
  func noVersion() throws {
    let path = try write("{ source: \"Tag\", destination: \"Tag\" }", source: "Nots")
    for arguments in [[], ["--models", fixture.catalogue], ["--models", fixture.folder.path("Models/Notes")]] {
      let run = Captured(["mapping", path] + arguments)
      #expect(run.code == 65 && run.output == "")
      #expect(
        run.messages.hasPrefix(
          "decant: \(path), line 1: the family has no version “Nots”; perhaps “Notes” is meant; the versions are: "
        ),
        "\(run.messages)")
    }
    let text = try write("{ source: \"Tag\", destination: \"Tag\", filtr: \"1 == 1\" }", source: "Notes3")
    let run = Captured(["mapping", text])
    #expect(run.messages.contains("“Notes3”; perhaps “Notes 3” is meant"), "\(run.messages)")
    #expect(run.messages.contains("\n  line 1, column "), "\(run.messages)")
    #expect(run.messages.contains("perhaps “filter” is meant"), "\(run.messages)")
  }

  @Test(
    "an unreadable mapping model of the same versions is named, and the text is still printed",
    arguments: [true, false])
  func brokenNeighbour(isWhole: Bool) throws {
    let path = try write("{ source: \"Tag\", destination: \"Tag\" }")
    let other =
      isWhole
      ? "{ source: \"Notes\", destination: \"Notes 3\", entityMappings: [{ source: \"Note\", filter: \"1 ==\" }] }"
      : "{ source: \"Notes\", destination"
    try fixture.folder.write(other, to: "Models/Notes/Other.mapping.json5")
    let run = Captured(["mapping", path])
    #expect(run.code == 0 && run.output.contains("Tag"), "\(run.messages)")
    #expect(
      run.messages.contains(
        "\(fixture.folder.path("Models/Notes/Other.mapping.json5")) is not a readable mapping model: ")
        && run.messages.contains("The entity mappings of this file aren't taken into account."),
      "\(run.messages)")
  }

  @Test("an empty mapping model beside the file is ignored; the shell may have made it for the output")
  func emptyNeighbour() throws {
    let path = try write("{ source: \"Tag\", destination: \"Tag\" }")
    let alone = Captured(["mapping", path])
    try fixture.folder.write("", to: "Models/Notes/Target.mapping.json5")
    for arguments in [[], ["--models", fixture.catalogue]] {
      let run = Captured(["mapping", path] + arguments)
      #expect(run.code == 0 && run.messages == "" && run.output == alone.output, "\(run.messages)")
    }
    let empty = Captured(["mapping", fixture.folder.path("Models/Notes/Target.mapping.json5")])
    #expect(empty.code == 65 && empty.messages.contains("it is empty; "), "\(empty.messages)")
  }

  @Test(
    "a genuine mapping model is printed in the same way from its source and its compiled file",
    .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
  func genuine() throws {
    let folder = SharedFixtures.root.appendingPathComponent("mapping/sample-cars")
    let run = Captured(["mapping", folder.appendingPathComponent("V2toV3.xcmappingmodel").path])
    #expect(run.code == 0)
    #expect(run.output.contains("{ name: \"PersonToPerson\", source: \"Person\", destination: \"Person\""))
    // The compiled file has no version names. Its hashes identify the models in the folder.
    let compiled = Captured(["mapping", folder.appendingPathComponent("V2toV3.cdm").path])
    #expect(compiled.code == 0)
    #expect(compiled.output == run.output)
  }
}
