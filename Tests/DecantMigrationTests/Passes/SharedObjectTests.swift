import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration

@Suite("Mapping models: one object of more source objects than a batch holds") struct SharedObjectTests {
  private static let old =
    "Note\n kind String?\n tags ->> Tag.notes ordered\n boss -> Tag\nTag\n notes ->> Note.tags"

  private static func makeStore(_ shop: Workshop) throws {
    // 2,500 notes have one kind. Note n has the tags n - 7 and n, in this order.
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZBOSS) SELECT i, 1, 1, 'a', iif(i > 1200, i, NULL) FROM n;
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) SELECT Z_PK, 2, 1 FROM ZNOTE;
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS) SELECT Z_PK, Z_PK, 3072 FROM ZNOTE;
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS) SELECT Z_PK, Z_PK - 7, 2048 FROM ZNOTE WHERE Z_PK > 7;
      """)
  }

  private static func expected() -> String {
    var tags: [Int] = []
    var seen: Set<Int> = []
    for note in 1...2500 {
      for tag in [note - 7, note] where tag > 0 && seen.insert(tag).inserted { tags.append(tag) }
    }
    return "(" + tags.map { "Tag#\($0)" }.joined(separator: " ") + ")"
  }

  @Test(
    "the object has the relationships of all its source objects, for each chunk size",
    arguments: [nil, 999])
  func gathered(size: Int?) throws {
    let shop = try Workshop(
      Self.old,
      "Kind\n tags ->> Tag.kinds ordered\n boss -> Tag\nTag\n kinds ->> Kind.tags\nOther\n kinds String?")
    try shop.map(
      "One",
      """
      { name: "Tags", source: "Tag", destination: "Tag" },
      { name: "Kinds", source: "Note", destination: "Kind", uniqueBy: "$source.kind",
        relationships: { tags: { path: "$source.tags", mapping: "Tags" }, boss: { path: "$source.boss", mapping: "Tags" } } },
      """, further: "")
    try Self.makeStore(shop)
    // `lines` also runs row by row and compares both results.
    let kinds = try shop.lines(chunkSize: size).filter { $0.hasPrefix("Kind#") }
    #expect(kinds == ["Kind#1 boss=Tag#1201 tags=\(Self.expected())"])
  }

  /// Returns the targets for a source object, and counts the source objects in memory.
  final class Watching: EntityMigrationPolicy {
    private struct Held {
      weak var object: ManagedObject?
    }

    private var seen: [Held] = []
    private var most = 0
    private var manager: MigrationManager?

    override func begin(_ mapping: MigrationEntityMapping, with manager: MigrationManager) throws {
      self.manager = manager
    }

    override func invoke(_ selector: String, with arguments: [Any?]) throws -> Any? {
      guard let note = arguments.first as? ManagedObject else { return nil }
      seen.append(Held(object: note))
      if seen.count.isMultiple(of: 100) { most = max(most, seen.count { $0.object != nil }) }
      let tags = (note.value(forKey: "tags") as? NSOrderedSet)?.array as? [ManagedObject]
      return manager?.destinationInstances(forEntityMappingName: "TagToTag", sourceInstances: tags)
    }

    override func end(_ mapping: MigrationEntityMapping, manager: MigrationManager) throws {
      manager.destinationContext.insertObject(ofEntity: "Log").setValue(most, forKey: "most")
      self.manager = nil
    }
  }

  @Test func notAllOfThemAreInMemory() throws {
    var shop = try Workshop(
      Self.old, "Kind\n tags ->> Tag.kinds ordered\nLog\n most Int64?\nTag\n kinds ->> Kind.tags")
    shop.policies.add(Watching.self)
    try shop.map(
      """
      { source: "Tag", destination: "Tag" },
      { source: "Note", destination: "Kind", uniqueBy: "$source.kind", policy: "Watching",
        relationships: { tags: "FUNCTION($entityPolicy, 'targets:', $source)" } },
      """)
    try Self.makeStore(shop)
    let store = try shop.migrate().store
    #expect(store.lines.first == "Kind#1 tags=\(Self.expected())")
    let most = try #require(try store.store.rows("SELECT ZMOST FROM ZLOG").first?.first?.integer)
    #expect(most > 500 && most <= 1000)
  }
}
