package import DecantMapping
public import Foundation
internal import Synchronization

/// What policies work with during a step (Core Data's NSMigrationManager).
open class MigrationManager: NSObject {
  public let sourceModel: ModelDescription
  public let destinationModel: ModelDescription
  /// The mapping model of the pass that is at work.
  public internal(set) var mappingModel: MigrationMappingModel
  public let sourceContext: ManagedObjectContext
  /// Where policies make, change and fetch the objects of the result.
  public let destinationContext: ManagedObjectContext
  /// Free for policies; kept over the passes of a step.
  ///
  /// Computed, so that it may be read while it is being changed, as apps do with Objective-C's.
  public var userInfo: [AnyHashable: Any]? {
    get { heldInfo }
    set { heldInfo = newValue }
  }
  private var heldInfo: [AnyHashable: Any]?
  /// The entity mapping that is at work.
  public internal(set) var currentEntityMapping: MigrationEntityMapping
  /// The part of the step's rows that is done, from 0 to 1.
  public internal(set) var migrationProgress: Float = 0
  /// Called with the part that is done, on the queue that the step runs on; there is no key-value observing here.
  public var progressHandler: ((Float) -> Void)?
  /// The classes that mapping models and models name, for a migration that a program runs itself.
  public var registry = PolicyRegistry()
  let cancellation = Mutex<(any Error)?>(nil)
  /// What a program has run with this manager already.
  package var finishedRun: FinishedRun?
  var session: RowSession?

  public init(sourceModel: ModelDescription, destinationModel: ModelDescription) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    sourceContext = ManagedObjectContext(sourceModel, isDestination: false)
    destinationContext = ManagedObjectContext(destinationModel, isDestination: true)
    mappingModel = MigrationMappingModel(MappingModel(name: "", origin: .inferred, entityMappings: []))
    currentEntityMapping = MigrationEntityMapping(
      EntityMapping(name: "", type: .undefined, sourceEntityName: nil, destinationEntityName: nil), number: 0)
  }

  // MARK: Associations

  /// Makes a destination object the migrated version of a source object under an entity mapping; both stores' objects
  /// can have any number of partners.
  public func associate(
    sourceInstance: ManagedObject, withDestinationInstance destinationInstance: ManagedObject,
    for entityMapping: MigrationEntityMapping
  ) {
    keepingFirstError(()) { try engine().associate(sourceInstance, destinationInstance, entityMapping) }
  }

  /// What the entity mapping of that name, of this pass or an earlier one, has made of source objects.
  ///
  /// - Parameter sourceInstances: `nil` for everything that it has made.
  /// - Returns: Each object once, in the order of the source objects.
  public func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [ManagedObject]?
  ) -> [ManagedObject] {
    keepingFirstError([]) { try engine().destinations(mapping: mappingName, of: sourceInstances) }
  }

  /// What any entity mapping has made of source objects.
  public func destinationInstances(
    forSourceRelationshipNamed name: String, sourceInstances: [ManagedObject]
  ) -> [ManagedObject] {
    keepingFirstError([]) { try engine().destinations(mapping: nil, of: sourceInstances) }
  }

  /// The source objects of which the entity mapping of that name has made destination objects.
  ///
  /// - Parameter destinationInstances: `nil` for all of which it has made something.
  public func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [ManagedObject]?
  ) -> [ManagedObject] {
    keepingFirstError([]) { try engine().sources(mapping: mappingName, of: destinationInstances) }
  }

  // MARK: Models

  public func sourceEntity(for mapping: MigrationEntityMapping) -> EntityDescription? {
    mapping.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  public func destinationEntity(for mapping: MigrationEntityMapping) -> EntityDescription? {
    mapping.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  // MARK: The run

  /// Ends the migration when the policy's method returns; the source stays as it is.
  public func cancelMigrationWithError(_ error: any Error) {
    cancellation.withLock { $0 = $0 ?? error }
    destinationContext.note(PolicyProblem.cancelled(error))
  }

  var isCancelled: Bool { cancellation.withLock { $0 != nil } }

  func advance(to part: Float) {
    guard part == 0 || part > migrationProgress else { return }
    migrationProgress = part
    progressHandler?(part)
  }

  /// Nothing is kept in memory longer than a chunk, so that there is nothing to do.
  public func reset() {}

  func engine() throws(PolicyProblem) -> RowSession {
    guard let session else {
      throw PolicyProblem.notRunning("the migration manager")
    }
    return session
  }

  private func keepingFirstError<Result>(_ fallback: Result, _ work: () throws -> Result) -> Result {
    do {
      return try work()
    } catch {
      destinationContext.note(error)
      return fallback
    }
  }
}

/// A destination that a manager has made, so that a further mapping model can add to it.
package struct FinishedRun {
  /// What tells the files of that moment from others.
  package var source: String
  package var destination: String
  package var passes: [MappingModel]

  package init(source: String, destination: String, passes: [MappingModel]) {
    self.source = source
    self.destination = destination
    self.passes = passes
  }
}
