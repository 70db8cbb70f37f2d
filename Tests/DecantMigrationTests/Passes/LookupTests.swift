import DecantMapping
import DecantPolicies
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantPasses

/// The statements of a chunk look rows up by keys.
///
/// If each chunk read whole tables, the time would grow with the square of the number of rows.
@Suite("Mapping models: chunks that set relationships read no whole table") struct LookupTests {
  private static let destination = """
    Note
      text String?
      summary -> Summary.note
      twin -> Note.twin
      next -> Note.previous
      previous -> Note.next
      author -> Author.notes
      tags ->> Tag.notes
      shelf -> Shelf.notes
      labels ->> Label.notes ordered
    Summary
      note -> Note.summary
    Author
      name String?
      notes ->> Note.author
      best ->> Note
    Tag
      name String?
      notes ->> Note.tags
    Shelf
      notes ->> Note.shelf ordered
    Label
      notes ->> Note.labels ordered
    """

  private static func entity(_ name: String, _ relationships: String, unique: Bool = false) -> String {
    #"{ name: "\#(name)", source: "Note", destination: "\#(name)", relationships: { \#(relationships) }"#
      + (unique ? #", uniqueBy: "$source.kind" }"# : " }")
  }

  /// A relationship to the objects that an entity mapping made from the source objects of a path.
  private static func to(_ mapping: String, _ path: String = "$source") -> String {
    #"{ path: "\#(path)", mapping: "\#(mapping)" }"#
  }

  @Test(arguments: [
    // One-to-one relationships: from either end, own inverse, and between two objects of one entity.
    [entity("Note", ""), entity("Summary", "note: \(to("Note"))")],
    [entity("Summary", ""), entity("Note", "summary: \(to("Summary"))")],
    [entity("Note", "twin: \(to("Note", "$source.other"))")],
    [entity("Note", "next: \(to("Note", "$source.other"))")],
    // A relationship to objects of a later pass, and one to objects of an earlier pass.
    [entity("Note", "summary: \(to("Summary"))"), "", entity("Summary", "")],
    [entity("Note", ""), "", entity("Summary", "note: \(to("Note"))")],
    // Relationships of objects that several source objects share.
    [entity("Note", ""), entity("Summary", "note: \(to("Note"))", unique: true)],
    [entity("Note", ""), entity("Author", "notes: \(to("Note"))", unique: true)],
    [entity("Note", ""), entity("Tag", "notes: \(to("Note"))", unique: true)],
    // To-many relationships, with and without an inverse, in one pass and over two passes.
    [entity("Note", ""), entity("Author", "notes: \(to("Note", "$source.others"))")],
    [entity("Note", ""), entity("Author", "best: \(to("Note", "$source.others"))")],
    [entity("Tag", ""), entity("Note", "tags: \(to("Tag", "$source.others"))")],
    [entity("Note", ""), "", entity("Tag", "notes: \(to("Note", "$source.others"))")],
    // Ordered relationships.
    [entity("Note", ""), entity("Shelf", "notes: \(to("Note", "$source.others"))")],
    [entity("Shelf", "notes: \(to("Note", "$source.others"))"), "", entity("Note", "")],
    [entity("Shelf", ""), entity("Note", "shelf: \(to("Shelf", "$source.other"))")],
    [entity("Note", ""), entity("Label", "notes: \(to("Note", "$source.others"))")],
    [entity("Label", ""), entity("Note", "labels: \(to("Label", "$source.others"))")],
    [entity("Label", "notes: \(to("Note", "$source.others"))"), "", entity("Note", "")],
    [entity("Note", "labels: \(to("Label", "$source.others"))"), "", entity("Label", "")],
    [entity("Tag", ""), entity("Note", ""), "", entity("Tag", "notes: \(to("Note", "$source.others"))")],
  ])
  func nothingReadsAWholeTable(mappings: [String]) throws {
    let shop = try Workshop(
      "Note\n text String?\n kind String?\n other -> Note.others\n others ->> Note.other", Self.destination)
    // An empty text separates two passes.
    for (pass, own) in mappings.split(separator: "").enumerated() {
      try shop.map("P\(pass)", own.joined(separator: ", "), further: "order: \(pass + 1),")
    }
    try shop.makeStore("")
    let prepared = try JobPreparation(job: shop.job()).prepare()
    defer { prepared.store.endChecks() }
    let program = PassProgram(
      try #require(prepared.steps[0].mappedWork), policies: PolicyRegistry(), folder: shop.folder.url.path,
      store: Workshop.uuid)
    let store = try DestinationStore(
      at: shop.folder.path("working"), layout: program.destination,
      workTables: program.workTables.merging(Checkpoint.workTables) { own, _ in own })
    let database = store.database
    try database.attachImmutable(prepared.store.readPath, as: "source")
    try program.prepare(database, time: 0, reading: { database }, isStopped: { false })
    defer { program.close() }
    var looked = 0
    for work in program.filling {
      let isCut = work.stage == .relate && work.extent != .whole
      if let numbering = work.numbering { try program.keys?.begin(numbering, in: database) }
      for statement in work.statements {
        if isCut, !statement.hasPrefix("CREATE") {
          let plan = try database.rows("EXPLAIN QUERY PLAN " + statement).compactMap { row in
            if case .text(let text) = row[3] { text } else { nil }
          }
          let scans = plan.filter { $0.hasPrefix("SCAN main.") || $0.hasPrefix("SCAN Z") }
          #expect(scans.isEmpty, "\(statement)\n\(plan)")
          looked += 1
        }
        let prepared = try database.prepare(statement)
        try prepared.run(Array([.integer(0), .integer(10)].prefix(prepared.parameterCount)))
      }
      if work.numbering != nil { try program.keys?.end(in: database) }
    }
    // A relationship that is written with the objects needs no look-up.
    let names = program.filling.filter { $0.stage == .relate }.map(\.name)
    #expect(looked > 0 || names.isEmpty, "\(names)")
    let rest = try database.integer(
      "SELECT count(*) FROM main.sqlite_master WHERE name LIKE 'Z_DECANT_LOOKUP%'")
    #expect(rest == 0)
  }

  private final class Plain: EntityMigrationPolicy {}

  @Test("the result is the same if a policy uses the same connection", arguments: [7, 1_000])
  func besidePolicy(chunkSize: Int) throws {
    var lines: [[String]] = []
    for policy in ["", #", policy: "Plain""#] {
      var shop = try Workshop(
        "Note\n text String?\n kind String?",
        "Note\n text String?\n summary -> Summary.note\nSummary\n text String?\n note -> Note.summary")
      shop.policies.add(Plain.self)
      try shop.map(
        #"{ source: "Note", destination: "Note"\#(policy) }, { source: "Note", destination: "Summary", "#
          + #"uniqueBy: "$source.kind", relationships: { note: \#(Self.to("NoteToNote")) } }, "#
          + #"{ name: "All", source: "Note", destination: "Summary", relationships: { note: \#(Self.to("NoteToNote")) } }"#
      )
      try shop.makeStore(
        "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 90) INSERT INTO ZNOTE "
          + "(Z_PK, Z_ENT, Z_OPT, ZTEXT, ZKIND) SELECT k, 1, 1, 't' || k, 'k' || (k % 13) FROM n")
      let result = try shop.migrate(chunkSize: chunkSize)
      #expect(try result.store.store.rows("SELECT name FROM sqlite_master WHERE name LIKE 'Z_DECANT%'").isEmpty)
      lines.append(result.lines)
    }
    #expect(lines[0] == lines[1] && lines[0].count == 90 + 13 + 90)
  }
}
