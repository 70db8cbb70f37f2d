import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantVerification

/// A step with mapping models, for planting differences in its result and its associations.
///
/// The kinds of notes become objects of an entity. The second pass migrates the tags. The pages of a note are ordered.
struct MappedFixture {
  static let before = """
    Note
      text String?
      kind String?
      weight Double?
      mark String?
      tag -> Tag.notes
      friends ->> Tag.fans
      pages ->> Page.note ordered
    Tag
      name String?
      notes ->> Note.tag
      fans ->> Note.friends
    Page
      number Int64?
      note -> Note.pages
    """
  static let after = """
    Note
      text String?
      weight Int32?
      mark String?
      kind -> Kind.notes
      tag -> Tag.notes
      friends ->> Tag.fans
      pages ->> Page.note ordered
    Kind
      name String?
      notes ->> Note.kind
    Tag
      name String?
      number Int64? derived 'notes.@count'
      notes ->> Note.tag
      fans ->> Note.friends
    Page
      number Int64?
      note -> Note.pages
    """

  let shop: Workshop

  init() throws {
    shop = try Workshop(Self.before, Self.after)
    try shop.map(
      "First",
      """
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "lowercase($source.kind)",
        attributes: { name: "uppercase($source.kind)" } },
      { source: "Note", destination: "Note", filter: "weight < 100",
        attributes: { text: "uppercase($source.text)", weight: "$source.weight * 2" },
        relationships: { kind: { path: "$source", mapping: "Kinds" } } },
      { source: "Page", destination: "Page" },
      """, further: "order: 1,")
    try shop.map("Second", "{ source: \"Tag\", destination: \"Tag\" }", further: "order: 2,")
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZKIND, ZWEIGHT, ZTAG, ZMARK)
        SELECT i * 2, 1, 1, 't' || i, nullif('k' || (i % 4), 'k0'), iif(i = 7, 200, i + 0.5), 1 + i % 3, 'm' || i FROM n;
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'x'), (2, 3, 1, 'y'), (3, 3, 1, 'z');
      INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZNOTE, Z_FOK_NOTE) VALUES (1, 2, 1, 1, 2, 4096), (2, 2, 1, 2, 2, 3072),
        (3, 2, 1, 3, 2, 2048), (4, 2, 1, 4, 4, 2048), (5, 2, 1, 5, NULL, NULL);
      INSERT INTO Z_1FRIENDS (Z_1FANS, Z_3FRIENDS) VALUES (2, 1), (2, 2), (4, 3), (6, 3);
      """)
  }

  var associations: URL { KeptAssociations.place(beside: shop.output) }

  /// Migrates, changes the result or the associations by plain SQL without triggers, and compares.
  func plant(store: String = "", associations: String = "") throws -> Verification.Report {
    _ = try Migration.run(shop.job(chunkSize: 5))
    if !store.isEmpty { try Self.change(shop.output, store) }
    if !associations.isEmpty { try Self.change(self.associations, associations) }
    return try shop.verify()
  }

  static func change(_ file: URL, _ sql: String) throws {
    let database = try SQLiteDatabase(file.path, mode: .readWrite)
    try database.execute(sql)
    _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// The differences as `changed-value Note.text 1 [2]`.
  static func kinds(_ report: Verification.Report) -> [String] {
    report.differences.map { difference in
      let place = [difference.entity, difference.property].compactMap { $0 }.joined(separator: ".")
      return
        "\(difference.kind.rawValue) \(place) \(difference.count) [\(difference.examples.joined(separator: ", "))]"
    }
  }
}
