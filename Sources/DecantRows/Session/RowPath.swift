package import DecantMapping
package import DecantPasses
package import DecantPolicies
package import DecantReport
package import DecantSQLite

/// The row-by-row work of a step: the inputs of a session, and the session while one is open.
///
/// `@unchecked Sendable`: a step runs one piece after another, and only the step's own queue uses this object.
package final class RowPath: @unchecked Sendable {
  private let plan: PassPlan
  private let models: [MappingModel]
  private let policies: PolicyRegistry
  private let own: DirectCall?
  private let placeRecorder: WorkPlace.Recorder?
  private let folder: String
  private let store: String
  private(set) var session: RowSession?
  private var isOver = false

  package init(
    _ plan: PassPlan, models: [MappingModel], policies: PolicyRegistry, manager: DirectCall?,
    placeRecorder: WorkPlace.Recorder?, folder: String, store: String
  ) {
    self.plan = plan
    self.models = models
    self.policies = policies
    own = manager
    self.placeRecorder = placeRecorder
    self.folder = folder
    self.store = store
  }

  package var holdsCommits: Bool { !isOver && session?.holdsCommits ?? false }

  package func open(
    _ database: SQLiteDatabase, source: SQLiteDatabase, ahead: SQLiteDatabase, targets: TargetLookup,
    now: Double, job: String, isStopped: @escaping @Sendable () -> Bool
  ) throws {
    let manager =
      own?.manager
      ?? MigrationManager(
        sourceModel: ModelDescription(plan.source.model),
        destinationModel: ModelDescription(plan.destination.model))
    isOver = false
    session = try RowSession(
      plan, models: models, shown: own?.passes ?? [], registry: policies, manager: manager, store: store,
      database: database,
      reading: source, ahead: ahead, targets: targets, now: now, job: job, folder: folder,
      placeRecorder: placeRecorder,
      isStopped: isStopped)
  }

  package func perform(
    _ action: RowAction, after lower: Int, upTo upper: Int, progress: Float, beat: () -> Void
  ) throws -> Int {
    guard let session else { throw PolicyProblem.notRunning("the row-by-row work") }
    session.manager.advance(to: progress)
    let writer = session.destination.writer
    // Only the step may commit the transaction, and no write may run at that time.
    session.database.refusesCommits = true
    defer {
      writer.wait()
      session.database.refusesCommits = false
    }
    do {
      try session.perform(action, after: Int64(lower), upTo: Int64(upper), beat: beat)
    } catch {
      writer.wait()
      // If the writer has failed, `error` is only a consequence of the writer's error.
      throw writer.failure ?? error
    }
    if action == .finish {
      isOver = true
      return session.lostLinks
    }
    return session.takeDisplaced()
  }

  package func close() {
    session?.close()
    session = nil
  }
}
