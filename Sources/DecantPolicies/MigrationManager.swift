internal import DecantMapping
public import Foundation
package import Synchronization

/// The manager that policies use during a step (Core Data's NSMigrationManager).
open class MigrationManager: NSObject {
  public let sourceModel: ModelDescription
  public let destinationModel: ModelDescription
  /// The mapping model of the current pass.
  public package(set) var mappingModel: MigrationMappingModel
  public let sourceContext: ManagedObjectContext
  /// The context in which policies make, change and fetch destination objects.
  public let destinationContext: ManagedObjectContext
  /// Data of the policies, kept for all passes of a step.
  ///
  /// It is a computed property, so that it can be read while it is being changed.
  public var userInfo: [AnyHashable: Any]? {
    get { heldInfo }
    set { heldInfo = newValue }
  }
  private var heldInfo: [AnyHashable: Any]?
  /// The current entity mapping.
  ///
  /// This property and `migrationProgress` have no setter: a setter for the package alone would give other packages
  /// another key path, and `observe` compares key paths.
  public var currentEntityMapping: MigrationEntityMapping { runningMapping }
  package var runningMapping: MigrationEntityMapping {
    didSet { if runningMapping !== oldValue { observers.tell(.entityMapping) } }
  }
  /// The finished part of the step's rows, from 0 to 1.
  public var migrationProgress: Float { finishedPart }
  private var finishedPart: Float = 0
  /// Called with the finished part, on the thread of `migrateStore` or on another thread of the migration.
  public var progressHandler: ((Float) -> Void)?
  /// The classes that mapping models and models name, for a migration that a program itself runs.
  public var registry = PolicyRegistry()
  /// Genuine stores of the models, for a migration that a program itself runs.
  ///
  /// The schema of a store of the destination model settles points that Decant's rules leave open, as in the folder
  /// `reference/` of a catalogue's family. The stores are only read. A store of another model isn't used. If such a
  /// point stays open and the migration is refused, the error names the stores that weren't used.
  public var referenceStores: [URL] = []
  package let observers = MigrationObservers()
  /// The progress of a running `migrateStore`, and the progress that was current when `migrateStore` began.
  package var progress: (own: Progress, outer: Progress?)?
  package let cancellation = Mutex<(any Error)?>(nil)
  /// The error that a policy of the running migration threw.
  package var policyError: (any Error)?
  /// The last finished run of this manager in a program; `nil` for none.
  package var finishedRun: FinishedRun?
  /// The running step; `nil` if no step runs.
  package var runtime: (any PolicyRuntime)?

  public init(sourceModel: ModelDescription, destinationModel: ModelDescription) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    sourceContext = ManagedObjectContext(sourceModel, isDestination: false)
    destinationContext = ManagedObjectContext(destinationModel, isDestination: true)
    mappingModel = MigrationMappingModel(MappingModel(name: "", origin: .inferred, entityMappings: []))
    runningMapping = MigrationEntityMapping(
      EntityMapping(name: "", type: .undefined, sourceEntityName: nil, destinationEntityName: nil), number: 0)
    LiveModels.note(sourceModel)
    LiveModels.note(destinationModel)
  }

  // MARK: Associations

  /// Associates a destination object with a source object under an entity mapping.
  ///
  /// Objects of both stores can have any number of associations.
  public func associate(
    sourceInstance: ManagedObject, withDestinationInstance destinationInstance: ManagedObject,
    for entityMapping: MigrationEntityMapping
  ) {
    keepingFirstError(()) { try running().associate(sourceInstance, destinationInstance, entityMapping) }
  }

  /// The objects that the entity mapping of that name, in this pass or an earlier one, has made from source objects.
  ///
  /// - Parameter sourceInstances: The source objects; `nil` for all source objects of the entity mapping.
  /// - Returns: Each object once, in the order of the source objects.
  public func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [ManagedObject]?
  ) -> [ManagedObject] {
    keepingFirstError([]) { try running().destinations(mapping: mappingName, of: sourceInstances) }
  }

  /// The objects that the entity mappings of this pass and of earlier passes have made from source objects.
  ///
  /// - Parameter name: Has no effect.
  public func destinationInstances(
    forSourceRelationshipNamed name: String, sourceInstances: [ManagedObject]
  ) -> [ManagedObject] {
    keepingFirstError([]) { try running().destinations(mapping: nil, of: sourceInstances) }
  }

  /// The source objects from which the entity mapping of that name has made destination objects.
  ///
  /// - Parameter destinationInstances: The destination objects; `nil` for all that the entity mapping has made.
  public func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [ManagedObject]?
  ) -> [ManagedObject] {
    keepingFirstError([]) { try running().sources(mapping: mappingName, of: destinationInstances) }
  }

  // MARK: Models

  public func sourceEntity(for mapping: MigrationEntityMapping) -> EntityDescription? {
    mapping.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  public func destinationEntity(for mapping: MigrationEntityMapping) -> EntityDescription? {
    mapping.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  // MARK: The run

  /// Ends the migration when the policy's method returns; the source isn't changed.
  ///
  /// `migrateStore` throws the error that is given here. If `migrateStore` isn't running, its next call throws the
  /// error at once.
  public func cancelMigrationWithError(_ error: any Error) {
    cancellation.withLock { $0 = $0 ?? error }
    destinationContext.note(PolicyProblem.cancelled(error))
  }

  package var isCancelled: Bool { cancellation.withLock { $0 != nil } || isStopped }

  /// Whether the program has cancelled the progress.
  private var isStopped: Bool { progress.map { $0.own.isCancelled || $0.outer?.isCancelled == true } ?? false }

  /// Throws the error with which the migration was cancelled, and forgets it, so that it is thrown only once.
  ///
  /// If the program has cancelled the progress instead, `PolicyProblem.stoppedByProgress` is thrown.
  package func throwCancellation() throws {
    guard let error = cancellation.withLock({ $0.take() }) else {
      if isStopped { throw PolicyProblem.stoppedByProgress }
      return
    }
    destinationContext.forgetProblem()
    throw error
  }

  package func advance(to part: Float) {
    guard part == 0 || part > finishedPart else { return }
    finishedPart = part
    if let own = progress?.own { own.completedUnitCount = Int64(Double(part) * Double(own.totalUnitCount)) }
    progressHandler?(part)
    observers.tell(.progress)
  }

  /// Does nothing, because the manager keeps no object in memory longer than a chunk.
  public func reset() {}

  func running() throws(PolicyProblem) -> any PolicyRuntime {
    guard let runtime else {
      throw PolicyProblem.notRunning("the migration manager")
    }
    return runtime
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

/// A destination that a manager has made, to which a further mapping model can add.
package struct FinishedRun {
  /// The state of the source's files at the end of the run.
  package var source: String
  /// The state of the destination's files at the end of the run.
  package var destination: String
  package var passes: [MigrationMappingModel]

  package init(source: String, destination: String, passes: [MigrationMappingModel]) {
    self.source = source
    self.destination = destination
    self.passes = passes
  }
}
