extension Expression {
  /// Replaces `SELF` by another expression, also the one that isn't written before a key.
  public func replacingSelf(with other: Expression) -> Expression {
    func replaced(_ expressions: [Expression]) -> [Expression] {
      expressions.map { $0.replacingSelf(with: other) }
    }
    switch self {
    case .selfObject: return other
    case .constant, .variable, .anyKey: return self
    case .keyPath(let path):
      let steps = path.steps.map { step -> KeyPath.Step in
        if case .index(let index) = step { .index(index.replacingSelf(with: other)) } else { step }
      }
      return .path(from: path.operand.replacingSelf(with: other), steps)
    case .function(let name, let arguments): return .function(name, replaced(arguments))
    case .message(let target, let selector, let arguments):
      return .message(target.replacingSelf(with: other), selector: selector, replaced(arguments))
    case .cast(let value, let type): return .cast(value.replacingSelf(with: other), type: type)
    case .ternary(let condition, let positive, let negative):
      return .ternary(
        condition.replacingSelf(with: other), positive.replacingSelf(with: other),
        negative.replacingSelf(with: other))
    case .subquery(let collection, let variable, let predicate):
      return .subquery(
        collection.replacingSelf(with: other), variable: variable, predicate.replacingSelf(with: other))
    case .fetch(let request, let context, let countOnly):
      return .fetch(
        request.replacingSelf(with: other), context: context.replacingSelf(with: other), countOnly: countOnly)
    case .aggregate(let members): return .aggregate(replaced(members))
    case .set(let operation, let left, let right):
      return .set(operation, left.replacingSelf(with: other), right.replacingSelf(with: other))
    case .assignment(let name, let value): return .assignment(name, value.replacingSelf(with: other))
    }
  }
}

extension Predicate {
  /// Replaces `SELF` by another expression.
  public func replacingSelf(with other: Expression) -> Predicate {
    switch self {
    case .always, .never: return self
    case .not(let inner): return .not(inner.replacingSelf(with: other))
    case .and(let parts): return .and(parts.map { $0.replacingSelf(with: other) })
    case .or(let parts): return .or(parts.map { $0.replacingSelf(with: other) })
    case .comparison(var comparison):
      comparison.left = comparison.left.replacingSelf(with: other)
      comparison.right = comparison.right.replacingSelf(with: other)
      return .comparison(comparison)
    }
  }
}
