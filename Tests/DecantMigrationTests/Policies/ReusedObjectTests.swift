import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration

/// An object that nothing refers to is reused for the next row, unless a weak reference refers to it.
@Suite("Policies: objects that are reused") struct ReusedObjectTests {
  private static let old = "Note\n text String?\n number Int32?"

  private func run<Policy: EntityMigrationPolicy>(_ policy: Policy.Type) throws -> [String] {
    var shop = try Workshop(Self.old, Self.old + "\n more String?")
    shop.policies.add(policy)
    try shop.map("{ source: \"Note\", destination: \"Note\", policy: \"\(policy)\" }")
    try shop.makeStore(
      "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 2500) INSERT INTO ZNOTE "
        + "(Z_PK, Z_ENT, Z_OPT, ZTEXT, ZNUMBER) SELECT k, 1, 1, 'text ' || k, k FROM n")
    return try shop.read(shop.output, try Migration.run(shop.job()).targetVersion).lines
  }

  /// Keeps weak references to the objects of the previous row.
  final class Watching: EntityMigrationPolicy {
    private weak var source: ManagedObject?
    private weak var destination: ManagedObject?

    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      #expect(source !== sInstance)
      let note = manager.destinationContext.insertObject(ofEntity: "Note")
      #expect(destination !== note)
      note.setValue(destination.map { "after \($0.objectID.key)" } ?? "nothing before", forKey: "more")
      manager.associate(sourceInstance: sInstance, withDestinationInstance: note, for: mapping)
      // Weak references are kept in every other row only. So the objects of the rows between are reused.
      let isWatched = sInstance.objectID.key % 2 == 0
      (source, destination) = isWatched ? (sInstance, note) : (nil, nil)
    }
  }

  @Test("a weak reference of a policy becomes nil, and never gives another object")
  func weakReferences() throws {
    let lines = try run(Watching.self)
    #expect(lines.count == 2_500)
    #expect(lines.allSatisfy { $0.hasSuffix("more='nothing before'") })
  }

  /// Sets a value in every third object.
  ///
  /// So the objects between must begin without values.
  final class Sparse: EntityMigrationPolicy {
    private var ids: [ManagedObjectID] = []

    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      let key = sInstance.objectID.key
      #expect(sInstance.value(forKey: "text") as? String == "text \(key)")
      let note = manager.destinationContext.insertObject(ofEntity: "Note")
      #expect(note.value(forKey: "text") == nil && note.value(forKey: "more") == nil && note.isInserted)
      if key % 3 == 0 { note.setValue("third", forKey: "more") }
      if key % 5 == 0 { note.setValue(sInstance.value(forKey: "text"), forKey: "text") }
      manager.associate(sourceInstance: sInstance, withDestinationInstance: note, for: mapping)
      // Each row has a new ID, although the object is the same.
      ids.append(note.objectID)
      if ids.count > 1 { #expect(ids[ids.count - 2].key != note.objectID.key) }
      if key % 7 == 0 { manager.destinationContext.delete(note) }
    }

    override func endInstanceCreation(
      forMapping mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      #expect(Set(ids.map(\.key)).count == 2_500)
    }
  }

  @Test("a reused object keeps no values of the previous row") func values() throws {
    let lines = try run(Sparse.self)
    let expected = (1...2_500).filter { $0 % 7 != 0 }.map { key in
      (key % 3 == 0 ? " more='third'" : "") + (key % 5 == 0 ? " text='text \(key)'" : "")
    }
    #expect(lines.map { $0.drop { $0 != " " } }.sorted() == expected.map { $0[...] }.sorted())
  }
}
