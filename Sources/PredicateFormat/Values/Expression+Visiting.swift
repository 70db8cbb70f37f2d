extension Expression {
  /// Visits the expression and all its parts, outer ones first.
  public func visit(_ look: (Expression) -> Void) {
    look(self)
    switch self {
    case .constant, .selfObject, .variable, .anyKey: break
    case .keyPath(let path):
      path.operand.visit(look)
      for case .index(let index) in path.steps { index.visit(look) }
    case .function(_, let arguments), .aggregate(let arguments):
      for argument in arguments { argument.visit(look) }
    case .message(let target, _, let arguments):
      target.visit(look)
      for argument in arguments { argument.visit(look) }
    case .cast(let value, _), .assignment(_, let value): value.visit(look)
    case .ternary(let condition, let positive, let negative):
      condition.visit(look)
      positive.visit(look)
      negative.visit(look)
    case .subquery(let collection, _, let predicate):
      collection.visit(look)
      predicate.visit(look)
    case .fetch(let left, let right, _), .set(_, let left, let right):
      left.visit(look)
      right.visit(look)
    }
  }
}

extension Predicate {
  /// Visits all expressions of the predicate, outer ones first.
  public func visit(_ look: (Expression) -> Void) {
    switch self {
    case .always, .never: break
    case .not(let inner): inner.visit(look)
    case .and(let parts), .or(let parts):
      for part in parts { part.visit(look) }
    case .comparison(let comparison):
      comparison.left.visit(look)
      comparison.right.visit(look)
    }
  }
}
