/// Why an expression or a predicate can't be evaluated: its failing part and the problem.
public struct EvaluationError: Error, CustomStringConvertible {
  public enum Reason: Sendable {
    case unknownVariable(String)
    case unknownKey(String, of: String)
    case unknownFunction(String)
    case unknownSelector(String, target: String)
    case mismatch(expected: String, found: String)
    case badPattern(String)
    case unsupported(String)
    /// Too many steps, too much memory, or a text that is too long.
    case tooCostly(String)
    /// An error that the caller's objects or functions threw.
    case failed(any Error)
  }

  public let reason: Reason
  /// The innermost failing part as text, shortened if it is long.
  public private(set) var expression: String

  init(_ reason: Reason) {
    self.reason = reason
    expression = ""
  }

  static func mismatch(_ value: Value, expected: String) -> EvaluationError {
    EvaluationError(.mismatch(expected: expected, found: value.kind))
  }

  func located(in part: some CustomStringConvertible) -> EvaluationError {
    guard expression.isEmpty else { return self }
    var located = self
    let text = part.description
    located.expression = text.count > 160 ? text.prefix(160) + "…" : text
    return located
  }

  public var description: String { "“\(expression)”: \(reason)" }
}

extension EvaluationError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownVariable(let name): "the variable “$\(name)” isn't set here"
    case .unknownKey(let key, let owner): "\(owner) has no key “\(key)”"
    case .unknownFunction(let name): "there is no function “\(name)”"
    case .unknownSelector(let selector, let target): "\(target) doesn't answer “\(selector)”"
    case .mismatch(let expected, let found): "expected \(expected), found \(found)"
    case .badPattern(let reason): "the pattern can't be used: \(reason)"
    case .unsupported(let what): "\(what) can't be evaluated"
    case .tooCostly(let what): "\(what)"
    case .failed(let error): "\(error)"
    }
  }
}
