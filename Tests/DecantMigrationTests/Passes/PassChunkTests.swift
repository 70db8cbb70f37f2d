import DecantMigration
import Foundation
import Testing

@testable import DecantReport

@Suite("Mapping models: chunks, stops and resumption") struct PassChunkTests {
  private static let versions = [
    """
    Note
      text String?
      kind String?
      tag -> Tag.notes
      marks ->> Mark.notes ordered
      next -> Note.previous
      previous -> Note.next
    Tag
      name String?
      notes ->> Note.tag ordered
    Mark
      notes ->> Note.marks
    """,
    """
    Note
      text String?
      kinds ->> Kind.notes
      tag -> Tag.notes
      marks ->> Mark.notes ordered
      next -> Note.previous
      previous -> Note.next
    Kind
      name String?
      notes ->> Note.kinds ordered
      tag -> Tag
    Tag
      name String?
      number Int64? derived 'notes.@count'
      notes ->> Note.tag ordered
    Mark
      notes ->> Note.marks
    """,
  ]

  static func workshop() throws -> Workshop {
    let shop = try Workshop(versions)
    try shop.map(
      "First",
      """
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind",
        attributes: { name: "$source.kind" }, relationships: { tag: { path: "$source.tag" } } },
      { source: "Note", destination: "Note", filter: "text < 't5'",
        relationships: { kinds: { path: "$source", mapping: "Kinds" } } },
      { source: "Mark", destination: "Mark" },
      """, further: "order: 1,")
    try shop.map(
      "Second",
      """
      { source: "Note", destination: "Note", filter: "text >= 't5'",
        relationships: { kinds: { path: "$source", mapping: "Kinds" } } },
      { source: "Tag", destination: "Tag", relationships: { notes: { path: "$source.notes", mapping: "NoteToNote" } } },
      """, further: "order: 2,")
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZKIND, ZTAG, Z_FOK_TAG, ZNEXT) SELECT i * 2, 2, 1, 't' || (i % 9),
          nullif('k' || (i * 5 % 4), 'k0'), nullif(i % 4, 0), iif(i % 4 = 0, NULL, 9000 - i), iif(i % 3 = 0, i * 2 - 2, NULL)
        FROM n;
      UPDATE ZNOTE SET ZPREVIOUS = (SELECT Z_PK FROM ZNOTE AS o WHERE o.ZNEXT = ZNOTE.Z_PK);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'x'), (2, 3, 1, 'y'), (3, 3, 1, NULL);
      INSERT INTO ZMARK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
      """)
    return shop
  }

  static func rows(_ result: Migrated) throws -> [String] {
    var rows: [String] = []
    for table in result.store.layout.tables.map(\.name) + result.store.layout.joinTables.map(\.name) {
      rows += try result.store.store.rows("SELECT * FROM \"\(table)\" ORDER BY 1, 2").map {
        table + ": " + $0.map(LogicalStore.text).joined(separator: " ")
      }
    }
    return rows
      + (try result.store.store.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY").map { "\($0)" }.sorted())
  }

  @Test func everyChunkSizeGivesTheSameStore() throws {
    let whole = try Self.workshop().migrate()
    #expect(
      whole.lines.filter { $0.hasPrefix("Kind") }.map { String($0.prefix(27)) } == [
        "Kind#1 name='k1' tag=Tag#1 ", "Kind#2 name='k2' tag=Tag#2 ", "Kind#3 name='k3' tag=Tag#3 ",
      ])
    #expect(whole.lines.filter { $0.hasPrefix("Note") }.count == 19)
    for size in [1, 2, 7] {
      let result = try Self.workshop().migrate(chunkSize: size)
      #expect(try Self.rows(result) == Self.rows(whole), "chunks of \(size)")
      #expect(result.accounts == whole.accounts && result.report.warnings == whole.report.warnings)
    }
    #expect(whole.accounts.count == 5)
  }

  @Test func aRunStoppedAnywhereGoesOnToTheSameStore() throws {
    let shop = try Self.workshop()
    let counter = Stopper(after: .max)
    let whole = try shop.finished(try Migration.run(shop.job(chunkSize: 7), shouldStop: counter.shouldStop))
    let expected = try Self.rows(whole)
    #expect(counter.calls > 30)
    for limit in stride(from: 0, to: counter.calls, by: 3) {
      let shop = try Self.workshop()
      let stopper = Stopper(after: limit)
      let failure = #expect(throws: MigrationFailure.self) {
        try Migration.run(shop.job(chunkSize: 7), shouldStop: stopper.shouldStop)
      }
      #expect(failure?.reason == .stopped, "after \(limit)")
      let result = try shop.migrate(chunkSize: 7)
      #expect(try Self.rows(result) == expected, "after \(limit)")
      #expect(result.accounts == whole.accounts && result.report.warnings == whole.report.warnings)
    }
  }

  /// The events that an observer received.
  private final class Diary: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [MigrationProgress] = []

    func note(_ progress: MigrationProgress) { lock.withLock { entries.append(progress) } }
    var all: [MigrationProgress] { lock.withLock { entries } }
  }

  @Test func progressNamesPassAndEntityMapping() throws {
    let diary = Diary()
    let shop = try Self.workshop()
    _ = try Migration.run(shop.job(chunkSize: 4), progress: diary.note)
    let all = diary.all
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.rowsDone <= $1.rowsDone })
    #expect(all.last?.rowsDone == all.last?.rowsTotal)
    // The last event of each pass. All rows of the pass are done then, and the rows of both passes are the step's rows.
    let ofPasses = [1, 2].map { pass in all.last { $0.pass == pass && $0.rowsTotal > 0 } }
    // Associations are counted right after the first chunk, which has four objects at most. After that they are counted
    // at most once a second.
    let associations = all.compactMap(\.associations)
    #expect(associations.first.map { (1...4).contains($0) } == true)
    #expect(
      associations.count < all.count && zip(associations, associations.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(ofPasses.allSatisfy { ($0?.passRowsTotal ?? 0) > 0 && $0?.passRowsDone == $0?.passRowsTotal })
    #expect(ofPasses.reduce(0) { $0 + ($1?.passRowsTotal ?? 0) } == all.last?.rowsTotal)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.pass <= $1.pass })
    #expect(all.allSatisfy { $0.passRowsDone <= $0.passRowsTotal && $0.passRowsTotal <= $0.rowsTotal })
    var names: [String] = []
    for entry in all where entry.stage == .create && entry.chunk > 0 {
      let name = "\(entry.pass)/\(entry.passes) \(entry.passName) \(entry.entityMapping ?? "")"
      if names.last != name { names.append(name) }
    }
    #expect(
      names == [
        "1/2 First Kinds", "1/2 First NoteToNote", "1/2 First MarkToMark", "2/2 Second NoteToNote",
        "2/2 Second TagToTag",
      ])
  }
}
