extension Expression {
  /// Replaces `SELF` by another expression, also before a key, where `SELF` isn't written.
  public func replacingSelf(with other: Expression) -> Expression { replacing(.selfObject, with: other) }

  /// Replaces a part by another expression, wherever the part occurs.
  public func replacing(_ part: Expression, with other: Expression) -> Expression {
    if self == part { return other }
    func replaced(_ expressions: [Expression]) -> [Expression] {
      expressions.map { $0.replacing(part, with: other) }
    }
    switch self {
    case .selfObject, .constant, .variable, .anyKey: return self
    case .keyPath(let path):
      let steps = path.steps.map { step -> KeyPath.Step in
        if case .index(let index) = step { .index(index.replacing(part, with: other)) } else { step }
      }
      return .path(from: path.operand.replacing(part, with: other), steps)
    case .function(let name, let arguments): return .function(name, replaced(arguments))
    case .message(let target, let selector, let arguments):
      return .message(target.replacing(part, with: other), selector: selector, replaced(arguments))
    case .cast(let value, let type): return .cast(value.replacing(part, with: other), type: type)
    case .ternary(let condition, let positive, let negative):
      return .ternary(
        condition.replacing(part, with: other), positive.replacing(part, with: other),
        negative.replacing(part, with: other))
    case .subquery(let collection, let variable, let predicate):
      return .subquery(
        collection.replacing(part, with: other), variable: variable, predicate.replacing(part, with: other))
    case .fetch(let request, let context, let countOnly):
      return .fetch(
        request.replacing(part, with: other), context: context.replacing(part, with: other),
        countOnly: countOnly)
    case .aggregate(let members): return .aggregate(replaced(members))
    case .set(let operation, let left, let right):
      return .set(operation, left.replacing(part, with: other), right.replacing(part, with: other))
    case .assignment(let name, let value): return .assignment(name, value.replacing(part, with: other))
    }
  }
}

extension Predicate {
  /// Replaces `SELF` by another expression.
  public func replacingSelf(with other: Expression) -> Predicate { replacing(.selfObject, with: other) }

  /// Replaces a part of the predicate's expressions by another expression.
  public func replacing(_ part: Expression, with other: Expression) -> Predicate {
    switch self {
    case .always, .never: return self
    case .not(let inner): return .not(inner.replacing(part, with: other))
    case .and(let parts): return .and(parts.map { $0.replacing(part, with: other) })
    case .or(let parts): return .or(parts.map { $0.replacing(part, with: other) })
    case .comparison(var comparison):
      comparison.left = comparison.left.replacing(part, with: other)
      comparison.right = comparison.right.replacing(part, with: other)
      return .comparison(comparison)
    }
  }
}
