import DecantPolicies
import Testing

@testable import DecantMigration

/// Finds the policy classes that override `createRelationships`.
///
/// For other classes, no objects are made in the relate stage.
@Suite("Policies: classes that override createRelationships") struct OverriddenMethodTests {
  class Leaving: EntityMigrationPolicy {
    var count = 0
    class var key: String { "name" }
    func more() { count += 1 }
  }

  /// Overrides the methods before and after `createRelationships`.
  class Creating: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {}
    override func endInstanceCreation(forMapping mapping: MigrationEntityMapping, manager: MigrationManager)
      throws
    {}
    override func endRelationshipCreation(
      forMapping mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {}
  }

  class Relating: Leaving {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      if count > 0 { try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager) }
    }
  }

  class Heir: Relating {
    override func more() {}
  }

  /// Its `createRelationships` doesn't throw, so the method's type differs from that of the base class.
  final class Calm: Creating {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) {}
  }

  class Kept<Value>: EntityMigrationPolicy {
    var value: Value?
  }

  final class KeptRelating<Value>: Kept<Value> {
    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws { value = nil }
  }

  final class Text: Kept<String> {}

  @Test func thePlaceOfTheMethodIsFound() {
    #expect(OverriddenMethod.relating != nil)
  }

  @Test(arguments: [
    EntityMigrationPolicy.self, Leaving.self, Creating.self, Kept<Int>.self, Text.self, CategoryPolicy.self,
  ])
  func leavesItToTheBaseClass(policy: EntityMigrationPolicy.Type) {
    #expect(!OverriddenMethod.hasOwnRelating(policy))
  }

  @Test(arguments: [
    Relating.self, Heir.self, Calm.self, KeptRelating<String>.self,
    DeferredEqualityTests.Looking.self,
  ])
  func hasItsOwn(policy: EntityMigrationPolicy.Type) {
    #expect(OverriddenMethod.hasOwnRelating(policy))
  }
}
