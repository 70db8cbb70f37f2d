internal import DecantPolicies
internal import Foundation
internal import PredicateFormat

/// The worker's code that expressions call; it may be unavailable in a comparison.
struct WorkerCode {
  let policies: PolicyRegistry

  /// Whether an expression calls unavailable code.
  func isMissing(_ expression: FormatExpression) -> Bool {
    var isMissing = false
    expression.visit { isMissing = isMissing || isForeign($0) }
    return isMissing
  }

  /// Whether a predicate calls unavailable code.
  func isMissing(_ predicate: FormatPredicate) -> Bool {
    var isMissing = false
    predicate.visit { isMissing = isMissing || isForeign($0) }
    return isMissing
  }

  private func isForeign(_ expression: FormatExpression) -> Bool {
    guard case .message(let target, _, let arguments) = expression else { return false }
    switch target {
    case .constant(.className(let name)), .cast(.constant(.string(let name)), "Class"):
      // Objects of the migration can't be passed as arguments here.
      return policies.functions(named: name) == nil || arguments.contains(.variable("source"))
    case .variable("entityPolicy"): return true
    default: return false
    }
  }

  /// The functions for expressions, with the registered classes.
  var functions: FunctionTable {
    var functions = FunctionTable.library
    guard !policies.isEmpty else { return functions }
    let policies = policies
    functions.message = { target, selector, arguments in
      guard case .className(let name) = target, let type = policies.functions(named: name) else { return nil }
      return ValueBridge.value(
        of: ValueBridge.flattened(try type.invoke(selector, with: arguments.map(ValueBridge.any))))
    }
    return functions
  }
}
