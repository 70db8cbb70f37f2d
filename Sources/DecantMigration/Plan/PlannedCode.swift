/// Who has the policies, and the functions, that a plan's mapping models name.
public enum PlannedCode: Sendable {
  /// Asks a worker, given the one that the family names, for its classes.
  public typealias Question = @Sendable (_ familyWorker: String?) -> RegisteredClasses

  /// The job itself; what it hasn't refuses the job.
  case ofTheJob
  /// A worker; what it hasn't is told in the plan.
  case toldOf(Question)
  /// A worker; what it hasn't refuses the job, as it does a migration.
  case requiredOf(Question)
}
