extension Evaluation {
  mutating func holds(_ predicate: Predicate) throws(EvaluationError) -> Bool {
    switch predicate {
    case .always: return true
    case .never: return false
    case .not(let inner): return try !holds(inner)
    case .and(let parts):
      for part in parts where try !holds(part) { return false }
      return true
    case .or(let parts):
      for part in parts where try holds(part) { return true }
      return false
    case .comparison(let comparison):
      do throws(EvaluationError) {
        return try holds(comparison)
      } catch {
        throw error.located(in: comparison)
      }
    }
  }

  /// A comparison; with ANY and ALL, each member of the left side is compared.
  ///
  /// nil counts as an empty collection: ANY is false, and ALL is true.
  private mutating func holds(_ comparison: Comparison) throws(EvaluationError) -> Bool {
    let left = try value(comparison.left)
    let right = try value(comparison.right)
    if comparison.modifier == .direct { return try compare(left, right, comparison) }
    guard let members = left.isNull ? [] : left.members else {
      throw .mismatch(left, expected: "a collection after \(comparison.modifier == .any ? "ANY" : "ALL")")
    }
    for member in members {
      let holds = try compare(member, right, comparison)
      if holds == (comparison.modifier == .any) { return holds }
    }
    return comparison.modifier == .all
  }

  private mutating func compare(
    _ left: Value, _ right: Value, _ comparison: Comparison
  ) throws(EvaluationError) -> Bool {
    try state.spend()
    let options = comparison.options
    switch comparison.operation {
    case .equal: return Equality.holds(left, right, options)
    case .notEqual: return !Equality.holds(left, right, options)
    case .less: return try Ordering.compare(left, right, options).map { $0 < 0 } ?? false
    case .lessOrEqual: return try Ordering.compare(left, right, options).map { $0 <= 0 } ?? false
    case .greater: return try Ordering.compare(left, right, options).map { $0 > 0 } ?? false
    case .greaterOrEqual: return try Ordering.compare(left, right, options).map { $0 >= 0 } ?? false
    case .between: return try Between.holds(left, right, options)
    case .in:
      if let members = right.members { try state.spend(members.count) }
      return try Membership.holds(left, in: right, options)
    case .contains:
      if let members = left.members { try state.spend(members.count) }
      return try Contains.holds(left, right, options)
    case .beginsWith: return try BeginsWith.holds(left, right, options)
    case .endsWith: return try EndsWith.holds(left, right, options)
    case .like:
      let steps = try Like.steps(left, right)
      try state.spend(steps)
      return try Like.holds(left, right, options)
    case .matches: return try Matches.holds(left, right, options)
    case .conformsToUTI, .equalsUTI:
      throw EvaluationError(.unsupported("“\(comparison.operation.rawValue)” (uniform type identifiers)"))
    }
  }
}
