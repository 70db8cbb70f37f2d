import DecantCatalogue
import DecantExpressions
import DecantPolicies
import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantReport

/// Several passes over sets, row by row, and with a policy that only uses its base class give the same result.
///
/// Objects, keys and associations are equal for all chunk sizes, and if the runs are killed. A run is killed after
/// every commit if all objects are one chunk, and otherwise after a sample of the commits. With
/// `DECANT_MATRIX=whole`, every run is killed after every commit.
@Suite("Mapping models: several passes on every way") struct PassAgreementTests {
  final class Leaving: EntityMigrationPolicy {}

  private enum Way: CaseIterable { case sets, rows, policies }

  /// A case: its models, and the entity mappings of each pass.
  ///
  /// `POLICY` in an entity mapping is replaced by the policy, or by nothing.
  private struct Passes {
    let models: [String]
    let passes: [String]
    let rows: String
  }

  /// Three passes, each with the lists and topics of a part of the alphabet.
  private static let topics = Passes(
    models: [
      "Topic\n title String?\n presenter String?\n list -> List.topics\n"
        + "List\n title String?\n topics ->> Topic.list",
      "Member\n name String?\n topics ->> Topic.presenter\n"
        + "Topic\n title String?\n presenter -> Member.topics\n list -> List.topics\n"
        + "List\n title String?\n topics ->> Topic.list ordered",
    ],
    passes: [("", "i"), ("i", "q"), ("q", "{")].map { first, end in
      let part = "list.title >= '\(first)' AND list.title < '\(end)'"
      return """
        { name: "Members", source: "Topic", destination: "Member", filter: "\(part)", POLICY
          uniqueBy: "$source.presenter", attributes: { name: "$source.presenter" } },
        { source: "Topic", destination: "Topic", filter: "\(part)", POLICY
          relationships: { presenter: { path: "$source", mapping: "Members" } } },
        { source: "List", destination: "List", filter: "\(part.replacing("list.", with: ""))", POLICY },
        """
    },
    rows: """
      WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 30)
      INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT k * 2, 1, 1,
        CASE k % 11 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'école' WHEN 3 THEN 'e' || char(769) || 'cole'
          ELSE char(96 + k % 27) || k END FROM n;
      WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 50)
      INSERT INTO ZTOPIC (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPRESENTER, ZLIST) SELECT k + k / 10 * 3, 2, 1, 'topic ' || k,
        CASE k % 7 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'Zoë' WHEN 3 THEN 'Zoe' || char(776) ELSE 'P' || k % 13 END,
        CASE WHEN k % 9 = 0 THEN NULL ELSE 2 * (1 + k * 7 % 30) END FROM n;
      """)

  /// Two passes.
  ///
  /// The objects of each pass refer to those of the other.
  private static let library = Passes(
    models: ["", "\n shelf String?"].map { more in
      "Author\n name String?\n books ->> Book.author\nTag\n name String?\n books ->> Book.tags\n"
        + "Book\n title String?\(more)\n author -> Author.books\n tags ->> Tag.books\n sequel -> Book.former\n"
        + " former -> Book.sequel"
    },
    passes: [
      """
      { source: "Author", destination: "Author", POLICY }, { name: "Old", source: "Book", destination: "Book",
        filter: "title < 'book 3'", POLICY attributes: { shelf: "'old'" } },
      """,
      """
      { source: "Tag", destination: "Tag", POLICY }, { name: "New", source: "Book", destination: "Book",
        filter: "NOT (title < 'book 3')", POLICY attributes: { shelf: "'new'" },
        relationships: { sequel: { path: "$source.sequel", mapping: "Old" },
          author: { path: "$source.author", mapping: "AuthorToAuthor" },
          tags: { path: "$source.tags", mapping: "TagToTag" } } },
      """,
    ],
    rows: """
      WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 12)
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT k * 3, 1, 1, 'author ' || k FROM n;
      WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 8)
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT k, 3, 1, NULLIF('tag ' || k, 'tag 5') FROM n;
      WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 50)
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZAUTHOR, ZSEQUEL) SELECT k + k / 20, 2, 1,
        CASE WHEN k % 13 = 0 THEN NULL ELSE 'book ' || k END,
        CASE WHEN k % 5 = 0 THEN NULL ELSE 3 * (1 + k % 10) END, NULL FROM n;
      WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 50)
      INSERT INTO JOIN_TABLE (JOIN_BOOKS, JOIN_TAGS) SELECT DISTINCT k + k / 20, 1 + k * t % 8 FROM n,
        (SELECT 1 AS t UNION SELECT 3 UNION SELECT 6) WHERE k % 4 > 0;
      """)

  private static func shop(_ passes: Passes, _ way: Way) throws -> Workshop {
    var shop = try Workshop(passes.models, in: MatrixSettings.folder())
    shop.policies.add(Leaving.self)
    for (index, mappings) in passes.passes.enumerated() {
      try shop.map(
        "Pass\(index + 1)",
        mappings.replacing("POLICY", with: way == .policies ? "policy: \"Leaving\"," : ""),
        further: "order: \(index + 1),")
    }
    var rows = passes.rows
    for join in try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344)).joinTables {
      rows = rows.replacing("JOIN_TABLE", with: join.name)
      for end in [join.first, join.second] {
        rows = rows.replacing("JOIN_\(end.relationship.name.uppercased())", with: end.column)
      }
    }
    try shop.makeStore(rows)
    return shop
  }

  private struct Outcome {
    let lines: [String]
    /// Every association.
    let associations: [String]
    /// The rows that hold the associations.
    ///
    /// Only `sets` has blocks for shared objects.
    let rows: [String]
    let entities: [[MigrationReport.EntityRows]]
    let kills: Int
    let chunks: Int
  }

  private static func run(_ passes: Passes, _ way: Way, size: Int?, isKilled: Bool) throws -> Outcome {
    let shop = try shop(passes, way)
    var job = shop.job(chunkSize: size)
    job.goesByRows = way == .rows
    job.shelf = isKilled ? CatalogueShelf() : nil
    var dice = Dice(MatrixSettings.seed)
    let pause = MatrixSettings.isWhole || size == nil ? 1 : size == 1 ? 60 : 12
    let killed = KilledJob(job) { 1 + dice.below(pause) }
    let report = isKilled ? try killed.run() : try Migration.run(job)
    #expect(report.steps.map(\.passes.count) == [passes.passes.count])
    let associations = try PlainSQLite.dump(KeptAssociations.place(beside: shop.output))
    return Outcome(
      lines: try shop.read(shop.output, report.targetVersion).lines,
      associations: associations.filter { $0.hasPrefix("uris") }.sorted(),
      rows: associations.filter { line in ["runs", "shared", "pairs"].contains { line.hasPrefix($0) } },
      entities: report.steps.map(\.entities), kills: killed.kills,
      chunks: report.steps.map { $0.chunks + $0.resumedChunks }.reduce(0, +))
  }

  private static func agree(_ passes: Passes) throws {
    let expected = try run(passes, .sets, size: nil, isKilled: false)
    #expect(expected.lines.count > 40 && expected.associations.count > 40)
    for way in Way.allCases {
      var rows: [String]?
      for size in [nil, 7, 1] {
        for isKilled in [false, true] {
          let words: Comment =
            "\(way), chunks of \(size ?? 0), killed: \(isKilled), DECANT_SEED=\(MatrixSettings.seed)"
          let found = try run(passes, way, size: size, isKilled: isKilled)
          #expect(found.lines == expected.lines, words)
          #expect(found.associations == expected.associations, words)
          #expect(found.rows == rows ?? found.rows, words)
          rows = found.rows
          #expect(found.entities == expected.entities, words)
          #expect(!isKilled || found.kills >= (size == nil ? found.chunks : 2), words)
        }
      }
    }
  }

  @Test("three passes for one pair of versions, each with its filters") func three() throws {
    try Self.agree(Self.topics)
  }

  @Test("two passes with relationships between them") func two() throws {
    try Self.agree(Self.library)
  }
}
