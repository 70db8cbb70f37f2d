import DecantPolicies
import DecantStore
import Foundation
import Testing

@testable import DecantMigration

/// Deferred relationships equal those that are set object by object, even if policies do more than the mapping model
/// says.
@Suite("Policies: deferred relationships compared with others") struct DeferredEqualityTests {
  /// Leaves the relationships to the base class.
  final class Waiting: EntityMigrationPolicy {}

  /// Reads the relationships before the base class sets them, so that nothing is deferred.
  final class Looking: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      for name in dInstance.entity.relationshipsByName.keys.sorted() { _ = dInstance.value(forKey: name) }
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
  }

  private static let models =
    "Author\n name String?\n books ->> Book.author\nEditor\n name String?\nLog\n name String?\n"
    + "Book\n title String?\n author -> Author.books"

  private static func library(_ policies: [EntityMigrationPolicy.Type], _ map: String) throws -> Workshop {
    var shop = try Workshop(models, models.replacing("title String?", with: "title String?\n shelf String?"))
    for policy in policies { shop.policies.add(policy) }
    try shop.map(map)
    try shop.makeStore(
      """
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'ana'), (2, 1, 1, 'ben');
      INSERT INTO ZEDITOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'ed1'), (2, 3, 1, 'ed2');
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZAUTHOR) VALUES (1, 2, 1, 'a', 2), (2, 2, 1, 'b', 1);
      """)
    return shop
  }

  private static func lines(_ shop: Workshop) throws -> [String] {
    let report = try Migration.run(shop.job())
    return try shop.read(shop.output, report.targetVersion).lines
  }

  @Test func keysOfAnotherFamilyAreOtherObjects() throws {
    func map(_ policy: String) -> String {
      """
      { name: "EditorToAuthor", source: "Editor", destination: "Author", relationships: { books: null } },
      { name: "Books", source: "Book", destination: "Book", \(policy)
        relationships: { author: { path: "$source.author", mapping: "EditorToAuthor" } } },
      { remove: "Author" }, { remove: "Log" }
      """
    }
    for policy in [Waiting.self, Looking.self] as [EntityMigrationPolicy.Type] {
      let lines = try Self.lines(Self.library([policy], map("policy: \"\(policy)\",")))
      #expect(lines.filter { $0.hasPrefix("Book") } == ["Book#1 title='a'", "Book#2 title='b'"], "\(policy)")
    }
    // Without policy the migration runs over sets and is verified.
    #expect(try Self.library([], map("")).migrate().lines.allSatisfy { !$0.contains("author=") })
  }

  /// Also makes an author, in an entity mapping whose own objects are logs.
  final class Logging: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let made = manager.destinationContext.insertObject(ofEntity: "Author")
      made.setValue("extra", forKey: "name")
      manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
    }
  }

  @Test func anyMappingFindsWhatAPolicyHasAssociatedElsewhere() throws {
    var results: [[String]] = []
    for policy in [Waiting.self, Looking.self] as [EntityMigrationPolicy.Type] {
      let shop = try Self.library(
        [policy, Logging.self],
        """
        { source: "Author", destination: "Author", filter: "name == 'ana'", relationships: { books: null } },
        { source: "Author", destination: "Log", name: "Logs", policy: "Logging" },
        { name: "Books", source: "Book", destination: "Book", policy: "\(policy)",
          relationships: { author: "FUNCTION($manager, \\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\\", \\"author\\", $source.author)" } },
        { remove: "Editor" }, { remove: "Log" }
        """)
      results.append(try Self.lines(shop))
    }
    #expect(results[0] == results[1])
    #expect(results[0].count { $0.hasPrefix("Book") && $0.contains("author=") } == 2)
  }

  /// Makes an item from each note, and one from the note's file, which is in the same table.
  private static func make(
    _ sInstance: ManagedObject, _ mapping: MigrationEntityMapping, _ manager: MigrationManager
  ) throws {
    let made = manager.destinationContext.insertObject(ofEntity: "Item")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
    for other in try manager.sourceContext.fetch(.init(entity: "File"))
    where other.objectID.key == sInstance.objectID.key + 100 {
      let extra = manager.destinationContext.insertObject(ofEntity: "Item")
      extra.setValue("file", forKey: "title")
      manager.associate(sourceInstance: other, withDestinationInstance: extra, for: mapping)
    }
  }

  final class FilesWaiting: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws { try DeferredEqualityTests.make(sInstance, mapping, manager) }
  }

  @Test func objectsOfSiblingEntitiesAreRelatedToo() throws {
    var shop = try Workshop(
      "Owner\n name String?\n items ->> Thing.owner\nThing\n title String?\n owner -> Owner.items\n"
        + "Note < Thing\nFile < Thing",
      "Owner\n name String?\n items ->> Item.owner\nItem\n title String?\n owner -> Owner.items")
    shop.policies.add(FilesWaiting.self)
    try shop.map(
      """
      { name: "Owners", source: "Owner", destination: "Owner", relationships: { items: null } },
      { name: "Notes", source: "Note", destination: "Item", policy: "FilesWaiting",
        relationships: { owner: { path: "$source.owner", mapping: "Owners" } } },
      { remove: "Thing" }, { remove: "File" }
      """)
    let numbers = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344)).entityNumbers
    let (owner, note, file) = (numbers["Owner"] ?? 0, numbers["Note"] ?? 0, numbers["File"] ?? 0)
    try shop.makeStore(
      """
      INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, \(owner), 1, 'ana');
      INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZOWNER) VALUES (1, \(note), 1, 'n', 1), (101, \(file), 1, 'f', 1);
      """)
    let lines = try Self.lines(shop)
    #expect(lines.count { $0.hasPrefix("Item") && $0.contains("owner=Owner#1") } == 2, "\(lines)")
  }

  @Test func bothEndsInOneMappingAreSetOneAfterTheOther() throws {
    let model =
      "Man\n name String?\n chief -> Man.crew\n crew ->> Man.chief\n friends ->> Man.fans\n fans ->> Man.friends"
    var results: [[String]] = []
    for policy in [Waiting.self, Looking.self] as [EntityMigrationPolicy.Type] {
      var shop = try Workshop(model, model.replacing("name String?", with: "name String?\n nick String?"))
      shop.policies.add(policy)
      try shop.map(
        """
        { name: "Men", source: "Man", destination: "Man", policy: "\(policy)",
          relationships: { chief: null, crew: null, friends: { path: "$source.chief", mapping: "Men" },
            fans: { path: "$source.friends", mapping: "Men" } } }
        """)
      try shop.makeStore(
        "INSERT INTO ZMAN (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCHIEF) VALUES (1, 1, 1, 'a', 2), (2, 1, 1, 'b', 3), "
          + "(3, 1, 1, 'c', NULL);")
      results.append(try Self.lines(shop))
    }
    #expect(results[0] == results[1])
  }

  /// Writes the names of changed values into the title.
  final class Changing: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      let changed = dInstance.changedValues().keys.sorted().joined(separator: " ")
      dInstance.setValue("\(changed) \(dInstance.hasChanges)", forKey: "title")
    }
  }

  @Test func flagsTellOfWhatWaited() throws {
    let shop = try Self.library(
      [Changing.self],
      """
      { name: "Authors", source: "Author", destination: "Author", relationships: { books: null } },
      { name: "Books", source: "Book", destination: "Book", policy: "Changing",
        relationships: { author: { path: "$source.author", mapping: "Authors" } } },
      { remove: "Editor" }, { remove: "Log" }
      """)
    #expect(
      try Self.lines(shop).filter { $0.hasPrefix("Book") } == [
        "Book#1 title='author true' author=Author#2", "Book#2 title='author true' author=Author#1",
      ])
  }

  /// Calls the base class for the relationships of another entity mapping.
  final class Asking: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      guard let other = manager.mappingModel.entityMappings.first(where: { $0.name == "Others" }) else {
        return
      }
      try super.createRelationships(forDestination: dInstance, in: other, manager: manager)
    }
  }

  @Test func theMappingThatIsAskedForCounts() throws {
    let shop = try Self.library(
      [Asking.self],
      """
      { name: "Authors", source: "Author", destination: "Author", relationships: { books: null } },
      { name: "Others", source: "Book", destination: "Book", filter: "title == 'none'",
        relationships: { author: null } },
      { name: "Books", source: "Book", destination: "Book", policy: "Asking",
        relationships: { author: { path: "$source.author", mapping: "Authors" } } },
      { remove: "Editor" }, { remove: "Log" }
      """)
    #expect(try Self.lines(shop).allSatisfy { !$0.contains("author=") })
  }
}
