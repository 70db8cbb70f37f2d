/// The classes that a family's worker brings along, as far as a check can know.
public enum RegisteredClasses: Sendable {
  /// There is no worker.
  case noWorker
  /// What the worker, given by its path, has told of its policies and of its classes with functions.
  case names(policies: [String], functions: [String], worker: String)
  /// Why the worker can't be asked, in a sentence.
  case unusable(String)

  /// Those of this very process.
  init(_ registry: PolicyRegistry) {
    self = .names(policies: registry.policyNames, functions: registry.functionNames, worker: "")
  }
}
