public import Foundation

/// Makes the destination objects of one entity mapping (Core Data's NSEntityMigrationPolicy).
///
/// Subclass it and register the class in a worker. One instance serves one entity mapping in one pass. Its methods are
/// called in this order:
///
/// 1. `begin`.
/// 2. `createDestinationInstances`, for each source object that the filter takes, in the order of primary keys.
/// 3. `endInstanceCreation`.
/// 4. `createRelationships`, for each associated destination object once, in the order of the source objects, after all
///    entity mappings of the pass have made their objects.
/// 5. `endRelationshipCreation`, `performCustomValidation` and `end`.
///
/// An error from a method ends the migration, and the source isn't changed.
///
/// State that an instance keeps between objects is lost if the process is killed. A policy without stored properties
/// resumes at the current chunk. A policy with stored properties restarts its pass, unless it is a
/// `ResumableMigrationPolicy`.
open class EntityMigrationPolicy: NSObject {
  public required override init() {}

  open func begin(_ mapping: MigrationEntityMapping, with manager: MigrationManager) throws {}

  /// Makes the destination objects of a source object and associates them.
  ///
  /// The base class makes one object with the values of the attribute mappings. With `uniqueBy`, there are two
  /// exceptions. If the value is nil, no object is made. If an earlier source object has an equal value, the
  /// destination object of that source object is associated.
  open func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try manager.running().createByMapping(sInstance, mapping)
  }

  open func endInstanceCreation(forMapping mapping: MigrationEntityMapping, manager: MigrationManager) throws {}

  /// Sets the relationships of a destination object; the base class uses the relationship mappings.
  open func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try manager.running().relateByMapping(dInstance, mapping)
  }

  open func endRelationshipCreation(forMapping mapping: MigrationEntityMapping, manager: MigrationManager)
    throws
  {}

  open func performCustomValidation(forMapping mapping: MigrationEntityMapping, manager: MigrationManager)
    throws
  {}

  open func end(_ mapping: MigrationEntityMapping, manager: MigrationManager) throws {}

  /// Answers `FUNCTION($entityPolicy, "selector:", …)` of the mapping model; there are no Objective-C selectors here.
  ///
  /// - Parameters:
  ///   - selector: The selector as it is written in the mapping model, with its colons.
  ///   - arguments: Values in the form of `ManagedObject.value(forKey:)`.
  /// - Throws: `PolicyProblem.unknownSelector` in the base class; a subclass handles the selectors that it knows.
  open func invoke(_ selector: String, with arguments: [Any?]) throws -> Any? {
    throw PolicyProblem.unknownSelector(selector, target: "the policy \(type(of: self))")
  }
}

/// A policy that can resume with its state after its process was killed.
public protocol ResumableMigrationPolicy: EntityMigrationPolicy {
  /// The policy's state, to be stored with each chunk.
  func resumptionState(manager: MigrationManager) throws -> Data

  /// Restores the state of an earlier instance; called instead of `begin`.
  func resume(from state: Data, manager: MigrationManager) throws
}

/// Class methods that mapping models call: `FUNCTION(CAST("Name", "Class"), "selector:", …)`.
public protocol MigrationFunctions: SendableMetatype {
  /// Answers a message to this class.
  ///
  /// - Throws: `PolicyProblem.unknownSelector` for an unknown selector.
  static func invoke(_ selector: String, with arguments: [Any?]) throws -> Any?
}
