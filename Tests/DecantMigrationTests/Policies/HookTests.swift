import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration

@Suite("Policies: hooks") struct HookTests {
  /// Writes its calls into the manager's `userInfo`, and their arguments into the objects.
  final class Logging: EntityMigrationPolicy {
    private func log(_ word: String, _ mapping: MigrationEntityMapping, _ manager: MigrationManager) {
      let known = manager.userInfo?["log"] as? [String] ?? []
      manager.userInfo = ["log": known + ["\(word) \(mapping.name ?? "")"]]
      #expect(manager.currentEntityMapping === mapping)
      #expect((0...1).contains(manager.migrationProgress))
    }

    override func begin(_ mapping: MigrationEntityMapping, with manager: MigrationManager) throws {
      log("begin", mapping, manager)
    }

    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      log("create \(sInstance.objectID)", mapping, manager)
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(forMapping mapping: MigrationEntityMapping, manager: MigrationManager)
      throws
    {
      log("made", mapping, manager)
    }

    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      log("relate \(dInstance.objectID)", mapping, manager)
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(
      forMapping mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      log("related", mapping, manager)
    }

    override func performCustomValidation(
      forMapping mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      log("validate", mapping, manager)
    }

    override func end(_ mapping: MigrationEntityMapping, manager: MigrationManager) throws {
      log("end", mapping, manager)
      guard mapping.name == "TagToTag" else { return }
      // The calls are written into the store, where the test reads them.
      let log = manager.destinationContext.insertObject(ofEntity: "Log")
      log.setValue((manager.userInfo?["log"] as? [String])?.joined(separator: ", "), forKey: "text")
    }
  }

  @Test func comeInCoreDatasOrder() throws {
    var shop = try Workshop(
      "Note\n text String?\n tag -> Tag.notes\nTag\n name String?\n notes ->> Note.tag",
      "Note\n text String?\n tag -> Tag.notes\nTag\n name String?\n notes ->> Note.tag\nLog\n text String?")
    shop.policies.add(Logging.self)
    try shop.map(
      """
      { source: "Note", destination: "Note", policy: "Logging" }, { source: "Tag", destination: "Tag", policy: "Logging" },
      { add: "Log" },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTAG) VALUES (1, 1, 1, 'a', 4), (2, 1, 1, 'b', NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (4, 2, 1, 'x');
      """)
    for size in [nil, 1] {
      try? FileManager.default.removeItem(at: shop.output)
      let lines = try shop.lines(chunkSize: size)
      let log = try #require(lines.first { $0.hasPrefix("Log#1") })
      #expect(
        log
          == "Log#1 text='begin NoteToNote, create Note/p1 NoteToNote, create Note/p2 NoteToNote, made NoteToNote, "
          + "begin TagToTag, create Tag/p4 TagToTag, made TagToTag, "
          + "relate Note/p1 NoteToNote, relate Note/p2 NoteToNote, related NoteToNote, "
          + "relate Tag/p4 TagToTag, related TagToTag, "
          + "validate NoteToNote, end NoteToNote, validate TagToTag, end TagToTag'")
      #expect(
        Array(lines.dropFirst()) == [
          "Note#1 text='a' tag=Tag#4", "Note#2 text='b'", "Tag#4 name='x' notes=[Note#1]",
        ])
    }
  }

  /// Makes no object from `none`, and two objects from `two`.
  final class Choosing: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      switch sInstance.value(forKey: "text") as? String {
      case "none": return
      case "two":
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      default: try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      }
    }
  }

  @Test("rows from which a policy makes no object, or several, are counted")
  func noneAndTwo() throws {
    var shop = try Workshop(
      "Note\n text String?\n next -> Note", "Note\n text String?\n next -> Note\n more String?")
    shop.policies.add(Choosing.self)
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", policy: \"Choosing\", filter: \"text != 'left'\" }")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZNEXT) VALUES (1, 1, 1, 'a', 2), (2, 1, 1, 'none', 3),
        (3, 1, 1, 'two', 4), (4, 1, 1, 'left', 1), (5, 1, 1, 'e', 3)
      """)
    for size in [nil, 1, 2] {
      try? FileManager.default.removeItem(at: shop.output)
      let result = try shop.migrate(chunkSize: size)
      #expect(
        result.lines == [
          "Note#1 text='a'", "Note#3 text='two'", "Note#5 text='e' next=Note#3", "Note#6 text='two'",
        ])
      let rows = try #require(result.report.steps.last?.entities.first)
      #expect(
        rows
          == .init(
            entityMapping: "NoteToNote", pass: "Step", source: 5, made: 3, filtered: 1, leftOut: 1, further: 1))
    }
  }
}
