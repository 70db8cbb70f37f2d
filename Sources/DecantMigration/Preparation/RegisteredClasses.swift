internal import DecantPolicies

/// The classes in a family's worker, as far as a check can know.
public enum RegisteredClasses: Sendable {
  /// The family has no worker.
  case noWorker
  /// The worker's path, its policies, and its classes with functions.
  case names(policies: [String], functions: [String], worker: String)
  /// Why the worker can't be used, in a sentence.
  case unusable(String)

  /// The classes of this process; the worker's path is empty.
  init(_ registry: PolicyRegistry) {
    self = .names(policies: registry.policyNames, functions: registry.functionNames, worker: "")
  }
}
