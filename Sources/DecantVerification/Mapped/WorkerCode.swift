internal import DecantPolicies
internal import PredicateFormat

/// The worker's code that expressions call; it may be unavailable in a comparison.
struct WorkerCode {
  /// The classes with functions; a comparison uses no policies and no classes of objects.
  let functions: PolicyRegistry

  init(policies: PolicyRegistry) {
    var functions = PolicyRegistry()
    for name in policies.functionNames {
      if let type = policies.functions(named: name) { functions.add(type, as: name) }
    }
    self.functions = functions
  }

  /// Whether an expression calls unavailable code.
  func isMissing(_ expression: FormatExpression) -> Bool {
    var isMissing = false
    expression.visit { isMissing = isMissing || isForeign($0) }
    return isMissing
  }

  func isMissing(_ predicate: FormatPredicate) -> Bool {
    var isMissing = false
    predicate.visit { isMissing = isMissing || isForeign($0) }
    return isMissing
  }

  private func isForeign(_ expression: FormatExpression) -> Bool {
    guard case .message(let target, _, _) = expression else { return false }
    switch target {
    case .constant(.className(let name)), .cast(.constant(.string(let name)), "Class"):
      return functions.functions(named: name) == nil
    case .variable("entityPolicy"): return true
    default: return false
    }
  }
}
