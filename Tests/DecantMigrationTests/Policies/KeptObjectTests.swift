import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration

/// An object that nothing refers to is reused for the next row.
///
/// An object that a policy keeps isn't reused.
@Suite("Policies: objects that a policy keeps") struct KeptObjectTests {
  /// Keeps objects of both stores and views of their relationships.
  ///
  /// Reads and changes them when all objects are made.
  final class Keeping: EntityMigrationPolicy {
    private struct Kept {
      let key: Int64
      let source: ManagedObject
      let destination: ManagedObject
      let tags: NSMutableSet
    }

    private var kept: [Kept] = []
    /// Views of relationships whose objects aren't kept.
    private var views: [(key: Int64, tags: NSMutableSet)] = []

    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let key = sInstance.objectID.key
      let made = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance])
      let note = try #require(made.first)
      if key % 7 == 0 {
        kept.append(
          Kept(
            key: key, source: sInstance, destination: note, tags: note.mutableSetValue(forKey: "tags")))
      }
      if key % 500 == 1 { views.append((key, note.mutableSetValue(forKey: "tags"))) }
    }

    override func endInstanceCreation(
      forMapping mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      for one in kept {
        #expect(one.source.objectID.key == one.key)
        #expect(one.source.value(forKey: "text") as? String == "text \(one.key)")
        #expect(one.source.value(forKey: "number") as? Int == Int(one.key) * 3)
        #expect(one.destination.objectID.key == one.key)
        #expect(one.destination.value(forKey: "text") as? String == "text \(one.key)")
        #expect(one.destination.value(forKey: "number") as? Int == Int(one.key) * 3)
      }
      // A late change must be written to the row of the object.
      for one in kept.suffix(50) + kept.prefix(50) {
        one.destination.setValue("late \(one.key)", forKey: "more")
      }
      let tag = manager.destinationContext.insertObject(ofEntity: "Tag")
      tag.setValue("late", forKey: "name")
      for one in kept.prefix(3) { one.tags.add(tag) }
      for view in views { view.tags.add(tag) }
      try super.endInstanceCreation(forMapping: mapping, manager: manager)
    }
  }

  @Test("kept objects have their own values, over batches and chunks", arguments: [nil, 1_100, 97])
  func keep(size: Int?) throws {
    let old =
      "Note\n text String?\n number Int32?\n tags ->> Tag.notes\nTag\n name String?\n notes ->> Note.tags"
    var shop = try Workshop(old, old.replacing("number Int32?", with: "number Int32?\n more String?"))
    shop.policies.add(Keeping.self)
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", policy: \"Keeping\", relationships: { tags: null } }, "
        + "{ remove: \"Tag\" }")
    try shop.makeStore(
      "WITH RECURSIVE n (k) AS (VALUES (1) UNION ALL SELECT k + 1 FROM n WHERE k < 3500) INSERT INTO ZNOTE "
        + "(Z_PK, Z_ENT, Z_OPT, ZTEXT, ZNUMBER) SELECT k, 1, 1, 'text ' || k, k * 3 FROM n")
    let report = try Migration.run(shop.job(chunkSize: size))
    let store = try shop.read(shop.output, report.targetVersion)
    let kept = stride(from: 7, through: 3_500, by: 7).map { $0 }
    let late = Set(kept.prefix(50) + kept.suffix(50))
    let tagged = Set(kept.prefix(3) + stride(from: 1, through: 3_500, by: 500))
    let expected = (1...3_500).map { key in
      "Note#\(key)" + (late.contains(key) ? " more='late \(key)'" : "")
        + " number=\(key * 3) text='text \(key)'"
        + (tagged.contains(key) ? " tags=[Tag#1]" : "")
    }
    let notes = store.lines.filter { $0.hasPrefix("Note") }
    #expect(Set(notes).symmetricDifference(expected).sorted().prefix(4) == [])
    #expect(notes.count == 3_500)
  }
}
