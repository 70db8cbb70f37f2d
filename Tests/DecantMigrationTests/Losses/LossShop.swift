import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Notes with tags, and the losses of one step, with a mapping model or inferred.
enum LossShop {
  static let model =
    """
    Note
     text String?
     rank Int32?
     tags ->> Tag.notes
    Tag
     name String?
     notes ->> Note.tags
    """
  static let rows =
    """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZRANK) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 2), (3, 1, 1, 'c', 3),
      (4, 1, 1, 'd', NULL), (5, 1, 1, NULL, 9);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'red'), (2, 2, 1, 'blue'), (3, 2, 1, NULL);
    INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (1, 2), (2, 1), (3, 2), (3, 3), (5, 1);
    """

  /// The losses of a migration.
  ///
  /// The function checks that a plan has the same losses except unlinked pairs. It checks that a strict job is refused
  /// if a loss isn't accepted.
  ///
  /// - Parameter mappings: The entity mappings; `nil` for an inferred step.
  static func losses(
    _ mappings: String?, to destination: String, from source: String = model, rows: String = rows,
    further: String = ""
  ) throws -> Set<String> {
    let shop = try Workshop(source, destination)
    if let mappings { try shop.map("Step", mappings, further: further) }
    try shop.makeStore(rows)
    let losses = try shop.migrate().report.losses
    // Unlinked pairs are counted only when the step ends.
    #expect(try Migration.plan(shop.job()).losses == losses.filter { $0.cause != .unlinked })
    var strict = shop.job()
    strict.refusesLosses = true
    if losses.contains(where: { $0.values > 0 && !$0.accepted }) {
      #expect(try #require(throws: MigrationFailure.self) { try Migration.run(strict) }.reason == .dataLoss)
    } else {
      _ = try Migration.run(strict)
    }
    let words = losses.map { "\(Migrated.words($0)) \($0.cause)" }
    #expect(Set(words).count == words.count, "\(words)")
    return Set(words)
  }
}
