import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration

@Suite("Policies that read an ordered relationship") struct OrderedReadingTests {
  /// Writes the keys of the note's kinds, in their order, into the kind.
  final class Reading: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      let note = dInstance.value(forKey: "note") as? ManagedObject
      let kinds = (note?.value(forKey: "kinds") as? NSOrderedSet)?.array as? [ManagedObject]
      dInstance.setValue(
        kinds?.compactMap { $0.value(forKey: "name") as? String }.joined(separator: " "), forKey: "seen")
    }
  }

  /// The base class sets a to-one relationship without an ordering key in the inverse.
  ///
  /// The object gets the key when the step ends.
  @Test func theOrderIsThatOfTheFinishedStore() throws {
    var shop = try Workshop(
      "Note\n kind String?\n one -> Note.ones\n ones ->> Note.one\n peers ->> Note.sources ordered\n sources ->> Note.peers",
      "Note\n kinds ->> Kind.note ordered\nKind\n name String?\n seen String?\n note -> Note.kinds")
    shop.policies.add(Reading.self)
    try shop.map(
      """
      { name: "Notes", source: "Note", destination: "Note",
        relationships: { kinds: { path: "$source.peers", mapping: "Kinds" } } },
      { name: "Kinds", source: "Note", destination: "Kind", policy: "Reading",
        attributes: { name: "$source.kind" }, relationships: { note: { path: "$source.one", mapping: "Notes" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZONE) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 1), (3, 1, 1, 'c', NULL);
      INSERT INTO Z_1PEERS (Z_1SOURCES, Z_1PEERS, Z_FOK_1PEERS) VALUES (1, 2, 2048);
      """)
    let lines = try shop.migrate().lines.filter { $0.hasPrefix("Kind") || $0.hasPrefix("Note#1") }
    #expect(
      lines == [
        "Kind#1 name='a' seen='b a' note=Note#1", "Kind#2 name='b' seen='b a' note=Note#1", "Kind#3 name='c'",
        "Note#1 kinds=(Kind#2 Kind#1)",
      ])
  }
}
