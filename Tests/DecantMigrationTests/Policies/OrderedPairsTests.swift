import DecantMapping
import DecantPolicies
import DecantStore
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantPasses

/// Pairs are written in the order of their join table, for policies that leave relationships to the base class.
@Suite("Policies: pairs in the order of the join table") struct OrderedPairsTests {
  /// Makes no object from every seventh object and two from every fifth, so that there are many runs of keys.
  class Waiting: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      let key = sInstance.objectID.key
      guard key % 7 != 0 else { return }
      if key % 5 == 0 { _ = manager.destinationContext.insertObject(ofEntity: "Book") }
      let made = manager.destinationContext.insertObject(ofEntity: "Book")
      made.setValue(sInstance.value(forKey: "title"), forKey: "title")
      manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
    }
  }

  /// Like `Waiting`, but with a method `createRelationships` of its own, which calls the base class.
  final class Seeing: Waiting {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
  }

  /// Like `Waiting`, but reads a relationship first, so that the pairs are set object by object.
  final class Looking: Waiting {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      _ = dInstance.value(forKey: "tags")
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
  }

  private static func model(_ first: String, _ more: String = "") -> String {
    "\(first)\n name String?\n books ->> Book.tags\nBook\n title String?\(more)\n tags ->> \(first).books"
  }

  /// - Parameter tag: The entity's name, which decides which column of the join table is first.
  private static func shop(_ policy: EntityMigrationPolicy.Type, tag: String) throws -> Workshop {
    var shop = try Workshop(model(tag), model(tag, "\n shelf String?"))
    shop.policies.add(policy)
    try shop.map(
      """
      { name: "Tags", source: "\(tag)", destination: "\(tag)", relationships: { books: null } },
      { name: "Books", source: "Book", destination: "Book", policy: "\(policy)",
        relationships: { tags: { path: "$source.tags", mapping: "Tags" } } }
      """)
    let layout = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344))
    let join = try #require(layout.joinTables.first)
    let (books, tags) =
      join.first.column.hasSuffix("BOOKS")
      ? (join.first.column, join.second.column) : (join.second.column, join.first.column)
    let (book, other) = (layout.entityNumbers["Book"] ?? 0, layout.entityNumbers[tag] ?? 0)
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i + i / 20, \(book), 1, 'b' || i FROM n;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8)
      INSERT INTO Z\(tag.uppercased()) (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, \(other), 1, 't' || i FROM n;
      INSERT INTO \(join.name) (\(books), \(tags))
        SELECT b.Z_PK, t.Z_PK FROM ZBOOK AS b, Z\(tag.uppercased()) AS t WHERE (b.Z_PK * 3 + t.Z_PK) % 4 = 0;
      """)
    return shop
  }

  private static func lines(_ shop: Workshop, chunkSize: Int) throws -> [String] {
    let report = try Migration.run(shop.job(chunkSize: chunkSize))
    return try shop.read(shop.output, report.targetVersion).lines
  }

  @Test(arguments: ["Alpha", "Zeta"])
  func anyOrderAndChunkGivesTheSame(tag: String) throws {
    let wanted = try Self.lines(Self.shop(Looking.self, tag: tag), chunkSize: 1_000)
    #expect(wanted.contains { $0.hasPrefix("Book") && $0.contains("tags=[") })
    for policy in [Waiting.self, Seeing.self] as [EntityMigrationPolicy.Type] {
      for size in [1, 7, 1_000] {
        #expect(try Self.lines(Self.shop(policy, tag: tag), chunkSize: size) == wanted, "\(policy), \(size)")
      }
    }
  }

  /// With an index on the columns of the source's join table, the pairs are written separately.
  @Test(arguments: ["Alpha", "Zeta"])
  func pairsAreCutAlongTheirOwnTable(tag: String) throws {
    let shop = try Self.shop(Waiting.self, tag: tag)
    let file = shop.catalogue.appendingPathComponent("Notes/Step.mapping.json5")
    let model = try MappingModelReading.read(at: file).compiled(
      from: shop.model("V1"), to: shop.model("V2"))
    let (source, destination) = (
      try StoreLayout(shop.model("V1"), framework: .current),
      try StoreLayout(shop.model("V2"), framework: .current)
    )
    let join = try #require(source.joinTables.first)
    for columns in [[], [join.first.column, join.second.column]] as [Set<String>] {
      let plan = PassPlan(
        source: source, destination: destination, mappingModels: [model], leadingColumns: [join.name: columns])
      let works = RowWork(plan, try #require(plan.mappings.last)).relating
      #expect(works.map(\.action).contains(.pair(2, 0)) == !columns.isEmpty)
    }
  }

  @Test("a run that is stopped anywhere continues to the same result")
  func killed() throws {
    let wanted = try Self.lines(Self.shop(Looking.self, tag: "Alpha"), chunkSize: 1_000)
    var stops = 0
    for stop in stride(from: 1, through: 200, by: 3) {
      let shop = try Self.shop(Waiting.self, tag: "Alpha")
      let looks = Looks()
      do {
        _ = try Migration.run(shop.job(chunkSize: 9), shouldStop: { looks.count() >= stop })
        break
      } catch {
        #expect(error.reason == .stopped)
        stops += 1
        #expect(try Self.lines(shop, chunkSize: 9) == wanted, "after \(stop) looks")
      }
    }
    #expect(stops > 5)
  }
}
