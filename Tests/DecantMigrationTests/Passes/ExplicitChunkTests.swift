import DecantStore
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Mapping models: explicit chunks") struct ExplicitChunkTests {
  private static let versions = [
    "Note\n text String?\n score Int64?\n kind String?\n next -> Note.previous\n previous -> Note.next",
    """
    Note
      body String?
      score Int64?
      kind -> Kind.notes
      next -> Note.previous
      previous -> Note.next
    Copy
      body String?
    Kind
      name String?
      first String?
      notes ->> Note.kind ordered
    """,
  ]

  /// Three entity mappings, all with these chunks.
  ///
  /// One uses `uniqueBy`, one keeps keys, one gives new keys.
  private static func mappings(_ chunks: String, filter: String = "score != 7") -> String {
    """
    { source: "Note", destination: "Kind", uniqueBy: "$source.kind", \(chunks) filter: "\(filter)",
      attributes: { name: "$source.kind", first: "$source.text" } },
    { source: "Note", destination: "Note", \(chunks) filter: "\(filter)", attributes: { body: "$source.text" },
      relationships: { kind: { path: "$source", mapping: "NoteToKind" } } },
    { source: "Note", destination: "Copy", \(chunks) filter: "\(filter)", attributes: { body: "$source.text" } },
    """
  }

  private static let good =
    "chunks: [\"score >= 9\", \"score == nil\", \"score < 5\", \"score >= 5 AND score < 9\"],"

  private static func workshop(_ mappings: String, family: String? = nil) throws -> Workshop {
    let shop = try Workshop(versions, family: family)
    try shop.map(mappings)
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 23)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSCORE, ZKIND, ZNEXT) SELECT i * 2, 1, 1, 't' || i,
          nullif(i * 7 % 13, 3), nullif('k' || (i * 5 % 4), 'k0'), iif(i % 3 = 0, i * 2 - 2, NULL) FROM n;
      UPDATE ZNOTE SET ZPREVIOUS = (SELECT Z_PK FROM ZNOTE AS o WHERE o.ZNEXT = ZNOTE.Z_PK);
      """)
    return shop
  }

  private static func rows(_ result: Migrated) throws -> [String] {
    var rows: [String] = []
    for table in result.store.layout.tables.map(\.name) + result.store.layout.joinTables.map(\.name) {
      rows += try result.store.store.rows("SELECT * FROM \"\(table)\" ORDER BY 1, 2").map {
        table + ": " + $0.map(LogicalStore.text).joined(separator: " ")
      }
    }
    return rows
      + (try result.store.store.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY").map { "\($0)" }.sorted())
  }

  @Test(arguments: [good, "chunks: { size: 2 },", "chunks: [\"TRUEPREDICATE\"],"], [nil, 1, 4])
  func theStoreIsTheSameAsWithoutThem(chunks: String, size: Int?) throws {
    let plain = try Self.workshop(Self.mappings("")).migrate()
    let result = try Self.workshop(Self.mappings(chunks)).migrate(chunkSize: size)
    #expect(try Self.rows(result) == Self.rows(plain))
    #expect(result.accounts == plain.accounts && result.accounts[0].hasSuffix("= 16 + 7"), "\(result.accounts)")
  }

  @Test func aRunStoppedAnywhereGoesOnToTheSameStore() throws {
    let expected = try Self.rows(try Self.workshop(Self.mappings("")).migrate())
    for limit in stride(from: 3, to: 90, by: 7) {
      let shop = try Self.workshop(Self.mappings(Self.good))
      let calls = Counter(limit)
      do {
        _ = try Migration.run(shop.job(chunkSize: 3), shouldStop: calls.isOver)
      } catch {
        #expect(error.reason == .stopped, "after \(limit)")
        #expect(try Self.rows(shop.migrate(chunkSize: 3)) == expected, "after \(limit)")
      }
    }
  }

  /// Says “stop” after a number of calls.
  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(_ left: Int) { self.left = left }

    func isOver() -> Bool {
      lock.withLock {
        left -= 1
        return left < 0
      }
    }
  }

  @Test func rowsThatSatisfyNoneOrSeveralRefuseTheStoreWithKeys() throws {
    let shop = try Self.workshop(Self.mappings("chunks: [\"score < 6\", \"score >= 5\"],"))
    #expect(throws: MigrationFailure.self) { try Migration.plan(shop.job()) }
    let failure = try shop.failure()
    #expect(failure.reason == .chunkPredicates && failure.exitCode == 65)
    // Notes 6 and 19 have nil in place of the score 3. Notes 10 and 23 have the score 5.
    #expect(
      failure.message.contains(
        "Entity mapping “NoteToNote” (pass “Step”): 2 rows (such as Note/p12, Note/p38) satisfy none of the chunk "
          + "predicates; 2 rows (such as Note/p20, Note/p46) satisfy several of the chunk predicates."),
      "\(failure.message)"
    )
  }

  @Test func rowsThatTheFilterKeepsBackNeedNoChunk() throws {
    let chunks = "chunks: [\"score < 6\", \"score >= 6\"],"
    let result = try Self.workshop(Self.mappings(chunks, filter: "score != nil")).migrate()
    #expect(result.accounts[1] == "NoteToNote 23 = 21 + 2")
  }

  /// A predicate that is true for every row, and that can't be translated into SQL.
  private static let always = "SUBQUERY({1, 2}, $x, $x > 1).@count == 1"

  @Test(arguments: [nil, 1, 4])
  func predicatesThatOnlyTheEvaluatorUnderstandsGiveTheSameStore(size: Int?) throws {
    let plain = try Self.workshop(Self.mappings("")).migrate()
    let chunks = "chunks: [\"score < 5 AND \(Self.always)\", \"score >= 5 OR score == nil\"],"
    let shop = try Self.workshop(Self.mappings(chunks))
    let ways = try Migration.plan(shop.job()).steps[0].entityMappings.map(\.way)
    #expect(ways.allSatisfy { if case .rows(let reason) = $0 { reason.hasPrefix("chunk 1: ") } else { false } })
    let result = try shop.migrate(chunkSize: size)
    // The stored order numbers may differ, but the order is the same.
    #expect(result.lines == plain.lines)
    #expect(result.accounts == plain.accounts)
  }

  @Test func rowsThatTheyLeaveOutOrTakeTwiceRefuseTheStore() throws {
    let chunks = "chunks: [\"score < 6 AND \(Self.always)\", \"score >= 5\"],"
    let shop = try Self.workshop(Self.mappings(chunks))
    let failure = try shop.failure()
    #expect(failure.reason == .chunkPredicates)
    #expect(
      failure.message.contains(
        "Entity mapping “NoteToNote” (pass “Step”): 2 rows (such as Note/p12, Note/p38) satisfy none of the chunk "
          + "predicates; 2 rows (such as Note/p20, Note/p46) satisfy several of the chunk predicates."),
      "\(failure.message)"
    )
  }

  @Test func aPredicateThatFailsOnARowRefusesTheStore() throws {
    let shop = try Self.workshop(
      Self.mappings("chunks: [\"CAST(FUNCTION(SELF, 'valueForKey:', 'text'), 'NSNumber') == 1\"],"))
    let failure = try shop.failure()
    #expect(failure.reason == .valuesDoNotFit && failure.message.contains("cast to NSNumber"))
  }

  @Test func aLaterStepIsLookedAtBeforeItsFirstRow() throws {
    let shop = try Workshop("Note\n a String?", "Note\n a String?\n b String?", "Note\n c String?")
    try shop.map(
      from: "V2", to: "V3",
      "{ source: \"Note\", destination: \"Note\", attributes: { c: \"$source.a\" }, chunks: [\"a == 'x'\"] }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y');")
    let failure = try shop.failure()
    #expect(failure.reason == .chunkPredicates && failure.message.contains("satisfies none of the chunk"))
  }

  @Test(arguments: [(nil, nil, 12), (2, nil, 12), (2, 5, 5)] as [(Int?, Int?, Int)])
  func theSizeOfAMappingCountsBeforeTheFamilysAndTheCommandLinesBeforeBoth(family: Int?, job: Int?, size: Int)
    throws
  {
    let shop = try Workshop(
      "Note\n a String?", "Note\n b String?", family: family.map { "{ chunkSize: \($0) }" })
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", attributes: { b: \"$source.a\" }, chunks: { size: 12 } }")
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) SELECT i, 1, 1, 'a' FROM n;
      """)
    let diary = Diary()
    _ = try Migration.run(shop.job(chunkSize: job), progress: diary.note)
    #expect(diary.chunks == 60 / size + 1)
  }

  /// The largest chunk number of the create stage.
  private final class Diary: @unchecked Sendable {
    private let lock = NSLock()
    private var largest = 0

    func note(_ progress: MigrationProgress) {
      lock.withLock { if progress.stage == .create { largest = max(largest, progress.chunk) } }
    }
    var chunks: Int { lock.withLock { largest } }
  }
}
