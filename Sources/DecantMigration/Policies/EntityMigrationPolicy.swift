public import Foundation

/// Makes the destination objects of one entity mapping (Core Data's NSEntityMigrationPolicy).
///
/// Subclass it and register the class in a worker. One instance serves one entity mapping over all of a pass: `begin`;
/// `createDestinationInstances` for each source object in the order of primary keys; `endInstanceCreation`; when every
/// entity mapping of the pass has made its objects, `createRelationships` for each destination object that is
/// associated; `endRelationshipCreation`; `performCustomValidation`; `end`. An error that a method throws ends the
/// migration, and the source stays as it is.
///
/// Whatever an instance keeps between objects is lost when a run is killed. A policy without stored properties goes on
/// at the chunk where it was; one with some begins its pass anew, unless it is a `ResumableMigrationPolicy`.
open class EntityMigrationPolicy: NSObject {
  public required override init() {}

  open func begin(_ mapping: MigrationEntityMapping, with manager: MigrationManager) throws {}

  /// Makes what becomes of a source object and associates it; the base class makes one object with the values of the
  /// attribute mappings.
  open func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try manager.engine().createByMapping(sInstance, mapping)
  }

  open func endInstanceCreation(forMapping mapping: MigrationEntityMapping, manager: MigrationManager) throws {}

  /// Sets the relationships of a destination object; the base class sets those of the relationship mappings.
  open func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try manager.engine().relateByMapping(dInstance, mapping)
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
  ///   - selector: As the mapping model writes it, with its colons.
  ///   - arguments: As `ManagedObject.value(forKey:)` gives values.
  /// - Throws: `PolicyProblem.unknownSelector` unless a subclass answers.
  open func invoke(_ selector: String, with arguments: [Any?]) throws -> Any? {
    throw PolicyProblem.unknownSelector(selector, target: "the policy \(type(of: self))")
  }
}

/// A policy that can go on after its process was killed, with what it keeps between objects.
public protocol ResumableMigrationPolicy: EntityMigrationPolicy {
  /// What the policy keeps, to be stored with each chunk.
  func resumptionState(manager: MigrationManager) throws -> Data

  /// Takes up what an earlier instance kept; called in place of `begin`.
  func resume(from state: Data, manager: MigrationManager) throws
}

/// Class methods that mapping models call: `FUNCTION(CAST("Name", "Class"), "selector:", …)`.
public protocol MigrationFunctions: SendableMetatype {
  /// Answers a message to the class of that name.
  ///
  /// - Throws: `PolicyProblem.unknownSelector` for what it doesn't know.
  static func invoke(_ selector: String, with arguments: [Any?]) throws -> Any?
}
