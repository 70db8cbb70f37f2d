import DecantMapping
import DecantPolicies
import DecantStore
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantPasses

/// The relationships that the policies' base class sets are deferred to the end of a chunk.
///
/// The result must be the same as if they were set object by object, whatever a policy does before the chunk's end.
@Suite("Policies: deferred relationships") struct DeferredRelationshipTests {
  /// A workshop with books.
  ///
  /// The third book has neither author nor tags.
  private static func shop(_ policy: EntityMigrationPolicy.Type?) throws -> Workshop {
    var shop = try Workshop(
      "Author\n name String?\n books ->> Book.author\nTag\n name String?\n books ->> Book.tags\n"
        + "Book\n title String?\n author -> Author.books\n tags ->> Tag.books",
      "Author\n name String?\n books ->> Book.author\nTag\n name String?\n books ->> Book.tags\n"
        + "Book\n title String?\n shelf String?\n author -> Author.books\n tags ->> Tag.books")
    if let policy { shop.policies.add(policy) }
    let name = policy.map { "policy: \"\($0)\", " } ?? ""
    try shop.map(
      """
      { source: "Author", destination: "Author", relationships: { books: null } },
      { source: "Tag", destination: "Tag", relationships: { books: null } },
      { name: "Books", source: "Book", destination: "Book", \(name)
        relationships: { author: { path: "$source.author", mapping: "AuthorToAuthor" },
          tags: { path: "$source.tags", mapping: "TagToTag" } } }
      """)
    let layout = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344))
    let join = try #require(layout.joinTables.first)
    let (books, tags) =
      join.first.column.hasSuffix("BOOKS")
      ? (join.first.column, join.second.column)
      : (join.second.column, join.first.column)
    try shop.makeStore(
      """
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'ana'), (2, 1, 1, 'ben'), (7, 1, 1, 'eva');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'old'), (2, 3, 1, 'new'), (3, 3, 1, 'odd');
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZAUTHOR) VALUES (1, 2, 1, 'a', 2), (2, 2, 1, 'b', 1),
        (3, 2, 1, 'c', NULL), (4, 2, 1, 'd', 7), (8, 2, 1, 'e', 1);
      INSERT INTO \(join.name) (\(books), \(tags)) VALUES (1, 1), (1, 3), (2, 2), (4, 1), (4, 2), (8, 3);
      """)
    return shop
  }

  private static let plain = [
    "Author#1 name='ana' books=[Book#2 Book#8]", "Author#2 name='ben' books=[Book#1]",
    "Author#7 name='eva' books=[Book#4]", "Book#1 title='a' author=Author#2 tags=[Tag#1 Tag#3]",
    "Book#2 title='b' author=Author#1 tags=[Tag#2]", "Book#3 title='c'",
    "Book#4 title='d' author=Author#7 tags=[Tag#1 Tag#2]", "Book#8 title='e' author=Author#1 tags=[Tag#3]",
    "Tag#1 name='old' books=[Book#1 Book#4]", "Tag#2 name='new' books=[Book#2 Book#4]",
    "Tag#3 name='odd' books=[Book#1 Book#8]",
  ]

  /// The lines of `plain`, with changes.
  private static func lines(_ changes: [String: String]) -> [String] {
    plain.map { line in changes[String(line.prefix { $0 != " " })] ?? line }
  }

  // MARK: Policies

  /// Leaves everything to the base class.
  final class Leaving: EntityMigrationPolicy {}

  /// Reads the relationships after the base class has set them, and writes what it has read into the title.
  final class Looking: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      let author = dInstance.value(forKey: "author") as? ManagedObject
      let count = (dInstance.value(forKey: "tags") as? NSSet)?.count ?? 0
      dInstance.setValue("\(author?.value(forKey: "name") as? String ?? "-") \(count)", forKey: "title")
    }
  }

  /// Writes the number of books that have an author so far into the title.
  final class Counting: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      let found = try manager.destinationContext.count(
        for: .init(
          entity: "Book",
          predicate: .compare(.path(from: .selfObject, [.key("author")]), .notEqual, .constant(.null))))
      dInstance.setValue("\(found)", forKey: "title")
    }
  }

  /// Changes mapped relationships before the base class sets them.
  ///
  /// This has no effect.
  final class Before: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      let context = manager.destinationContext
      let tags = try context.fetch(.init(entity: "Tag"))
      dInstance.setValue(Set(tags), forKey: "tags")
      dInstance.setValue(try context.fetch(.init(entity: "Author")).last, forKey: "author")
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
  }

  /// Changes mapped relationships of one object in the create stage.
  ///
  /// This has no effect.
  final class Early: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      guard sInstance.objectID.key == 4,
        let made = manager.destinationInstances(
          forEntityMappingName: mapping.name, sourceInstances: [sInstance]
        ).first
      else { return }
      made.setValue(Set(try manager.destinationContext.fetch(.init(entity: "Tag"))), forKey: "tags")
      made.setValue(try manager.destinationContext.fetch(.init(entity: "Author")).first, forKey: "author")
    }
  }

  /// Changes one object after the base class has set its relationships.
  final class After: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      guard dInstance.objectID.key == 4 else { return }
      dInstance.setValue(nil, forKey: "author")
      dInstance.mutableSetValue(forKey: "tags").removeAllObjects()
    }
  }

  /// Sets no relationships of one object.
  final class Choosing: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      if dInstance.objectID.key == 4 { return }
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
  }

  /// Deletes an author of an object with deferred relationships.
  final class Deleting: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      guard dInstance.objectID.key == 8 else { return }
      for author in try manager.destinationContext.fetch(.init(entity: "Author"))
      where author.objectID.key == 7 {
        manager.destinationContext.delete(author)
      }
    }
  }

  /// Adds an object with deferred relationships to the books of another author.
  final class Inverse: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      guard dInstance.objectID.key == 8 else { return }
      let authors = manager.destinationInstances(forEntityMappingName: "AuthorToAuthor", sourceInstances: nil)
      authors.last?.mutableSetValue(forKey: "books").add(dInstance)
    }
  }

  private static let late = [
    "Author#7": "Author#7 name='eva'", "Book#4": "Book#4 title='d'", "Tag#1": "Tag#1 name='old' books=[Book#1]",
    "Tag#2": "Tag#2 name='new' books=[Book#2]",
  ]
  private static let cases: [(EntityMigrationPolicy.Type, [String])] = [
    (Leaving.self, plain), (Before.self, plain), (Early.self, plain), (After.self, lines(late)),
    (Choosing.self, lines(late)),
    (
      Looking.self,
      lines([
        "Book#1": "Book#1 title='ben 2' author=Author#2 tags=[Tag#1 Tag#3]",
        "Book#2": "Book#2 title='ana 1' author=Author#1 tags=[Tag#2]", "Book#3": "Book#3 title='- 0'",
        "Book#4": "Book#4 title='eva 2' author=Author#7 tags=[Tag#1 Tag#2]",
        "Book#8": "Book#8 title='ana 1' author=Author#1 tags=[Tag#3]",
      ])
    ),
    (
      Counting.self,
      lines([
        "Book#1": "Book#1 title='1' author=Author#2 tags=[Tag#1 Tag#3]",
        "Book#2": "Book#2 title='2' author=Author#1 tags=[Tag#2]", "Book#3": "Book#3 title='2'",
        "Book#4": "Book#4 title='3' author=Author#7 tags=[Tag#1 Tag#2]",
        "Book#8": "Book#8 title='4' author=Author#1 tags=[Tag#3]",
      ])
    ),
    (
      Deleting.self,
      lines(["Book#4": "Book#4 title='d' tags=[Tag#1 Tag#2]"]).filter { !$0.hasPrefix("Author#7") }
    ),
    (
      Inverse.self,
      lines([
        "Author#1": "Author#1 name='ana' books=[Book#2]",
        "Author#7": "Author#7 name='eva' books=[Book#4 Book#8]",
        "Book#8": "Book#8 title='e' author=Author#7 tags=[Tag#3]",
      ])
    ),
  ]

  // MARK: Tests

  @Test("without a policy the result is the same as with a policy that leaves everything to the base class")
  func statementsAndThePolicysWayGiveTheSame() throws {
    #expect(try Self.shop(nil).migrate().lines == Self.plain)
  }

  @Test("the result is right whatever a policy does before the end of a chunk", arguments: [nil, 1, 2])
  func meanwhile(size: Int?) throws {
    for (policy, lines) in Self.cases {
      let shop = try Self.shop(policy)
      let report = try Migration.run(shop.job(chunkSize: size))
      #expect(try shop.read(shop.output, report.targetVersion).lines == lines, "\(policy)")
    }
  }

  @Test("a run that is stopped anywhere continues to the same result")
  func killed() throws {
    let policies = [ObjectIdentifier(Leaving.self), ObjectIdentifier(Early.self), ObjectIdentifier(After.self)]
    for (policy, lines) in Self.cases where policies.contains(ObjectIdentifier(policy)) {
      for stop in 1...60 {
        let shop = try Self.shop(policy)
        let looks = Looks()
        do {
          _ = try Migration.run(shop.job(chunkSize: 1), shouldStop: { looks.count() >= stop })
        } catch {
          #expect(error.reason == .stopped)
          let report = try Migration.run(shop.job(chunkSize: 1))
          let store = try shop.read(shop.output, report.targetVersion)
          #expect(store.lines == lines, "\(policy), stopped at question \(stop)")
          continue
        }
        #expect(stop > 6)
        break
      }
    }
  }

  @Test("only the entity mapping that sets relationships has statements for them")
  func whatHasToBeSetObjectByObjectHasNoStatements() throws {
    let shop = try Self.shop(Leaving.self)
    let file = shop.catalogue.appendingPathComponent("Notes/Step.mapping.json5")
    let reading = try MappingModelReading.read(at: file)
    let plan = try passPlan(try reading.compiled(from: shop.model("V1"), to: shop.model("V2")), shop)
    #expect(plan.mappings.map { LateLinks(plan, $0) != nil } == [false, false, true])
  }
}
