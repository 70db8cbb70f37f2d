import DecantPolicies
import Testing

@testable import DecantMigration

@Suite("Policies: look-ups of additions") struct AdditionLookUpTests {
  /// Looks up the destination objects and the source objects of an addition.
  final class Asking: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let made = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance])
      let none = manager.destinationInstances(forEntityMappingName: "Category", sourceInstances: [sInstance])
      let nobody = manager.sourceInstances(forEntityMappingName: "Category", destinationInstances: nil)
      made.first?.setValue("\(none.count) and \(nobody.count)", forKey: "text")
    }
  }

  @Test("an addition makes no objects, and a look-up by its name is no mistake", arguments: [nil, 1])
  func asked(size: Int?) throws {
    var shop = try Workshop("Note\n text String?", "Note\n text String?\nCategory\n name String?")
    shop.policies.add(Asking.self)
    try shop.map(
      "{ add: \"Category\" }, { source: \"Note\", destination: \"Note\", policy: \"Asking\" }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');")
    #expect(try shop.lines(chunkSize: size) == ["Note#1 text='0 and 0'", "Note#2 text='0 and 0'"])
  }
}
