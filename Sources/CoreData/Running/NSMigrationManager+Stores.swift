internal import DecantMapping
internal import DecantMigration
internal import DecantModel
public import DecantPolicies
internal import DecantReport
public import Foundation

extension MigrationManager {
  /// Migrates a store to the manager's destination model; the source isn't changed.
  ///
  /// The result is made in a folder beside the destination. It is moved into place when it is complete and checked.
  ///
  /// The destination may exist if this manager has made it from the same source, and if no file has changed since. Then
  /// the call adds to the destination: the earlier mapping models run again as the first passes of one step. So the new
  /// pass finds their objects and associations. None of these mapping models may be inferred. Any other file at the
  /// destination is an error.
  ///
  /// Classes that the mapping model names are looked up in `registry`, and then among the program's own classes. The
  /// module of such a class may differ from the module in the mapping model, as in a worker.
  ///
  /// The work is reported to `Progress.current()`, if there is one. If that progress is cancelled, the call ends with
  /// `NSMigrationCancelledError` when the current chunk is done.
  ///
  /// - Throws: `CoreDataError` with Core Data's code, or the error that was given to `cancelMigrationWithError`. A
  ///   policy's own error is under `NSUnderlyingErrorKey`.
  public func migrateStore(
    from sourceURL: URL, sourceType: String, options: [AnyHashable: Any]? = nil,
    with mappings: MigrationMappingModel?, toDestinationURL destinationURL: URL, destinationType: String,
    destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    progress = (Progress(totalUnitCount: 1000), Progress.current())
    policyError = nil
    defer { progress = nil }
    do {
      try throwCancellation()
    } catch let problem as PolicyProblem {
      throw Self.error(problem)
    }
    guard let mappings else {
      throw CoreDataError(NSMigrationMissingMappingModelError, "There is no mapping model to migrate with.")
    }
    guard [NSSQLiteStoreType, NSXMLStoreType].contains(sourceType), destinationType == NSSQLiteStoreType else {
      throw CoreDataError(
        NSPersistentStoreInvalidTypeError,
        "Only SQLite and XML stores can be migrated, and only to SQLite stores.")
    }
    let files = MigrationFiles(source: sourceURL, destination: destinationURL)
    try files.checkApart()
    let passes = try passes(before: mappings.snapshot(), files)
    ClassSearch(passes.map(\.model), [sourceModel.model, destinationModel.model], registry: registry).fill(
      &registry)
    let folder = try files.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = folder.appendingPathComponent("result").appendingPathComponent(
      destinationURL.lastPathComponent)
    do {
      try FileManager.default.createDirectory(
        at: result.deletingLastPathComponent(), withIntermediateDirectories: true)
      try DirectMigration.run(
        self, from: sourceURL, to: result, passes: passes, workFolder: folder.appendingPathComponent("work"))
    } catch let problem as PolicyProblem {
      throw Self.error(problem)
    } catch let failure as MigrationFailure {
      throw CoreDataError(
        failure.coreDataCode ?? NSMigrationError, files.naming(failure.description, result: result),
        underlying: policyError)
    }
    try files.install(result)
    finishedRun = FinishedRun(
      source: files.sourceState, destination: files.destinationState, passes: passes)
  }

  private static func error(_ problem: PolicyProblem) -> CoreDataError {
    if case .stoppedByProgress = problem {
      return CoreDataError(NSMigrationCancelledError, "The migration was cancelled.")
    }
    return CoreDataError(NSMigrationError, "The mapping model can't be used: \(problem).")
  }

  /// The mapping models of all passes: those that made the destination, and the given mapping model.
  private func passes(
    before mapping: MigrationMappingModel, _ files: MigrationFiles
  ) throws -> [MigrationMappingModel] {
    guard files.hasDestination else { return [mapping] }
    guard let run = finishedRun, run.source == files.sourceState, run.destination == files.destinationState
    else {
      throw CoreDataError(
        NSMigrationManagerDestinationStoreError,
        "\(files.destination.path) is there already. A manager adds only to a destination that the manager itself made "
          + "from the same source, if no file has changed since. Name another destination.")
    }
    guard run.passes.allSatisfy({ $0.model.origin != .inferred }), mapping.model.origin != .inferred else {
      throw CoreDataError(
        NSMigrationManagerDestinationStoreError,
        "An inferred mapping model moves everything at once; nothing can be added to its result.")
    }
    return run.passes + [mapping]
  }
}
