/// Where a plan looks for the policies and functions that its mapping models name.
public enum PlannedCode: Sendable {
  /// Asks a worker for its classes.
  ///
  /// The argument is the worker that the family names.
  public typealias Question = @Sendable (_ familyWorker: String?) -> RegisteredClasses

  /// In the job itself; missing code refuses the job.
  case ofTheJob
  /// In a worker; the plan reports missing code.
  case asked(Question)
  /// In a worker; missing code refuses the job, as in a migration.
  case required(Question)
}
