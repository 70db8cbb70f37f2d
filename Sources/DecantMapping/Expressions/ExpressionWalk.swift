internal import PredicateFormat

extension FormatExpression {
  /// Calls the body with the expression and everything within it; the parser and the archive reader bound the depth.
  func walk(_ body: (FormatExpression) -> Void) {
    body(self)
    switch self {
    case .constant, .selfObject, .variable, .anyKey: break
    case .keyPath(let path):
      path.operand.walk(body)
      for case .index(let index) in path.steps { index.walk(body) }
    case .function(_, let arguments), .aggregate(let arguments): arguments.forEach { $0.walk(body) }
    case .message(let target, _, let arguments):
      target.walk(body)
      arguments.forEach { $0.walk(body) }
    case .cast(let value, _), .assignment(_, let value): value.walk(body)
    case .ternary(let condition, let positive, let negative):
      condition.walk(body)
      positive.walk(body)
      negative.walk(body)
    case .subquery(let collection, _, let predicate):
      collection.walk(body)
      predicate.walk(body)
    case .fetch(let request, let context, _):
      request.walk(body)
      context.walk(body)
    case .set(_, let left, let right):
      left.walk(body)
      right.walk(body)
    }
  }
}

extension FormatPredicate {
  /// Calls the body with every expression within.
  func walk(_ body: (FormatExpression) -> Void) {
    switch self {
    case .always, .never: break
    case .not(let part): part.walk(body)
    case .and(let parts), .or(let parts): parts.forEach { $0.walk(body) }
    case .comparison(let comparison):
      comparison.left.walk(body)
      comparison.right.walk(body)
    }
  }
}
