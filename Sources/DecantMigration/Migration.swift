/// Runs one job from a store file to a finished, checked and durable output file.
public enum Migration {
  /// Decant's version, as `--version`, reports and checkpoints give it.
  public static let decantVersion = "0.1.0"

  /// Plans and runs a job; goes on from the work folder's checkpoint where there is a valid one.
  ///
  /// - Parameters:
  ///   - job: The store, where its result goes, and the catalogue.
  ///   - shouldStop: Asked between chunks; true ends the run with the disposition `stopped`.
  ///   - progress: Called on the engine's own queue, one call at a time.
  /// - Returns: The report. With the result `alreadyCurrent` no output was written.
  /// - Throws: `MigrationFailure`; the source is untouched, and no output exists.
  public static func run(
    _ job: MigrationJob, shouldStop: @Sendable () -> Bool = { false },
    progress: @Sendable (MigrationProgress) -> Void = { _ in }
  ) throws(MigrationFailure) -> MigrationReport {
    throw MigrationFailure(
      disposition: .fault, reason: "unfinished", message: "The engine isn't there yet.", advice: "")
  }
}
