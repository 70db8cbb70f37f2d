extension Expression {
  /// The value of the expression.
  ///
  /// - Throws: `EvaluationError`, which names the part of the expression and the problem.
  public func value(in context: EvaluationContext) throws(EvaluationError) -> Value {
    var evaluation = Evaluation(context)
    return try evaluation.value(self)
  }
}

extension Predicate {
  /// Whether the predicate is true.
  ///
  /// - Throws: `EvaluationError`, which names the part of the predicate and the problem.
  public func holds(in context: EvaluationContext) throws(EvaluationError) -> Bool {
    var evaluation = Evaluation(context)
    return try evaluation.holds(self)
  }
}
