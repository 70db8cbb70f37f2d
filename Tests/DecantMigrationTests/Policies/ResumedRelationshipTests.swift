import DecantPolicies
import DecantStore
import Foundation
import Testing

@testable import DecantMigration

/// A resumed policy may set relationships of objects whose deferred relationships aren't set yet.
///
/// The mapping model then overwrites these relationships, as in an uninterrupted run.
@Suite("Policies: relationships that a resumed policy sets") struct ResumedRelationshipTests {
  /// When resumed, gives all tags to each book whose relationships aren't set yet.
  final class Tagging: EntityMigrationPolicy, ResumableMigrationPolicy {
    private var last: Int64 = 0

    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      last = dInstance.objectID.key
    }

    func resumptionState(manager: MigrationManager) throws -> Data { Data("\(last)".utf8) }

    func resume(from state: Data, manager: MigrationManager) throws {
      last = Int64(String(decoding: state, as: UTF8.self)) ?? 0
      let tags = try manager.destinationContext.fetch(.init(entity: "Tag"))
      for book in try manager.destinationContext.fetch(.init(entity: "Book")) where book.objectID.key > last {
        book.setValue(Set(tags), forKey: "tags")
      }
    }
  }

  private static func shop() throws -> Workshop {
    var shop = try Workshop(
      "Tag\n name String?\n books ->> Book.tags\nBook\n title String?\n tags ->> Tag.books",
      "Tag\n name String?\n books ->> Book.tags\nBook\n title String?\n shelf String?\n tags ->> Tag.books")
    shop.policies.add(Tagging.self)
    try shop.map(
      """
      { source: "Tag", destination: "Tag", relationships: { books: null } },
      { name: "Books", source: "Book", destination: "Book", policy: "\(Tagging.self)",
        relationships: { tags: { path: "$source.tags", mapping: "TagToTag" } } }
      """)
    let layout = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344))
    let join = try #require(layout.joinTables.first)
    let (books, tags) =
      join.first.column.hasSuffix("BOOKS")
      ? (join.first.column, join.second.column) : (join.second.column, join.first.column)
    try shop.makeStore(
      """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'old'), (2, 2, 1, 'new'), (3, 2, 1, 'odd');
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'c'),
        (4, 1, 1, 'd'), (5, 1, 1, 'e');
      INSERT INTO \(join.name) (\(books), \(tags)) VALUES (1, 1), (2, 2), (3, 3), (4, 1), (5, 2);
      """)
    return shop
  }

  @Test("a run that is stopped anywhere has the result of a whole run")
  func stopped() throws {
    let whole = try Self.shop().migrate(chunkSize: 1).lines
    #expect(whole.contains("Book#4 title='d' tags=[Tag#1]"), "\(whole)")
    var stops = 0
    for stop in 1...60 {
      let shop = try Self.shop()
      let looks = Looks()
      do {
        _ = try Migration.run(shop.job(chunkSize: 1), shouldStop: { looks.count() >= stop })
        break
      } catch {
        #expect(error.reason == .stopped)
        stops += 1
        let report = try Migration.run(shop.job(chunkSize: 1))
        #expect(try shop.read(shop.output, report.targetVersion).lines == whole, "after \(stop) looks")
      }
    }
    #expect(stops > 10)
  }
}
