import CommandSupport
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantMigration
@testable import DecantReport

@Suite("plan")
struct PlanCommandTests {
  let fixture: NotesFixture

  init() throws {
    fixture = try NotesFixture()
    try fixture.folder.write(
      """
      { source: "Notes", destination: "Notes 3", entityMappings: [
        { source: "Note", destination: "Note", filter: "mood != nil",
          attributes: { text: "uppercase($source.text)", stars: "$source.mood.length" }, chunks: { size: 1000 } },
        { source: "Tag", destination: "Tag" },
      ] }
      """, to: "Models/Notes/Some.mapping.json5")
    try fixture.store()
  }

  private func plan(_ options: String...) -> Captured {
    Captured(["plan", fixture.folder.path("Store.sqlite"), "--models", fixture.catalogue] + options)
  }

  @Test("plan shows the rows that a mapping model takes and filters, and properties not copied by name")
  func text() throws {
    let run = plan()
    #expect(run.code == 0, "\(run.messages)")
    let lines = run.lines
    #expect(lines.contains("  Entity mapping  Type       Rows  Filtered  Runs"), "\(run.output)")
    #expect(lines.contains("  NoteToNote      transform     7         2  as a set"))
    #expect(lines.contains("  NoteToNote of Some: where mood != nil; chunks of 1,000 rows"))
    #expect(lines.contains("    text = uppercase:($source.text)"))
    #expect(!run.output.contains("    moment = "))
    #expect(lines.contains("  Note  2  objects that no filter or uniqueBy takes"), "\(run.output)")
  }

  @Test("plan shows all properties with --verbose, and the way in JSON")
  func verbose() throws {
    #expect(plan("--verbose").lines.contains("    moment = $source.date"))
    let object = try JSONSerialization.jsonObject(with: Data(plan("--json").output.utf8)) as? [String: Any]
    let step = (object?["steps"] as? [[String: Any]])?.first
    let mapping = (step?["entityMappings"] as? [[String: Any]])?.first
    #expect((mapping?["way"] as? [String: String]) == ["kind": "set"])
    #expect(mapping?["filtered"] as? Int == 2 && (mapping?["attributes"] as? [Any])?.count == 3)
    let losses = object?["losses"] as? [[String: Any]]
    #expect(losses?.first?["cause"] as? String == "filters")
  }

  @Test("plan shows the passes of entity mappings with one name, and describes references in words")
  func passes() throws {
    for (name, order) in [("Some", 1), ("Other", 2)] {
      try fixture.folder.write(
        """
        { source: "Notes", destination: "Notes 3", order: \(order), entityMappings: [
          { source: "Note", destination: "Note", filter: "mood \(order == 1 ? "!=" : "==") nil",
            relationships: { tags: { path: "$source.tags", mapping: null } } },
          { name: "Tags\(order)", source: "Tag", destination: "Tag", filter: "\(order) == 1",
            relationships: { notes: { path: "$source.notes", mapping: "NoteToNote" } } },
        ] }
        """, to: "Models/Notes/\(name).mapping.json5")
    }
    let lines = plan("--verbose").lines
    #expect(lines.contains("  Pass   Entity mapping  Type       Rows  Filtered  Runs"), "\(lines)")
    #expect(lines.contains("  Some   NoteToNote      transform     7         2  as a set"))
    #expect(lines.contains("  Other  NoteToNote      transform     7         5  as a set"))
    #expect(lines.contains("    tags = the objects made of $source.tags"))
    #expect(lines.contains("    notes = the objects that “NoteToNote” makes of $source.notes"))
    let run = Captured([
      "migrate", fixture.folder.path("Store.sqlite"), "--models", fixture.catalogue, "--output",
      fixture.folder.path("New.sqlite"), "--quiet",
    ])
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.lines.contains("  Pass   Entity mapping  Source  Made  Filtered"), "\(run.output)")
    #expect(run.lines.contains("  Some   NoteToNote           7     5         2"))
    #expect(run.lines.contains("  Other  NoteToNote           7     2         5"))
  }

  @Test("plan shortens a long list of properties and says that there are more")
  func many() {
    var mapping = MigrationPlan.EntityMappingPlan(
      name: "AToB", type: "transform", source: "A", destination: "B")
    mapping.pass = "Step"
    mapping.attributes = (1...12).map { .init(name: "a\($0)", expression: "$source.b\($0)", isRule: false) }
    mapping.way = .rows(reason: "“a1”: no SQL")
    let lines = PlannedMappingText(mapping, isVerbose: false).lines
    #expect(lines.first == "  AToB of Step: row by row, because of “a1”: no SQL")
    #expect(lines.last == "    and 4 more; --verbose shows all" && lines.count == 10)
    #expect(PlannedMappingText(mapping, isVerbose: true).lines.count == 13)
  }
}
