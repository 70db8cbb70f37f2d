/// `a UNION b`, `a INTERSECT b`, `a MINUS b`: operations on sets, whose members are compared by `==`.
///
/// nil counts as an empty set.
enum SetOperation {
  static func value(
    _ operation: SetOperator, _ left: Value, _ right: Value
  ) throws(EvaluationError) -> Value {
    let (left, right) = (try members(left), try members(right))
    let others = Distinct.keys(right, [])
    switch operation {
    case .union: return .set(Distinct.members(left + right))
    case .intersect:
      return .set(Distinct.members(left.filter { others.contains(Distinct.Key(value: $0, options: [])) }))
    case .minus:
      return .set(Distinct.members(left.filter { !others.contains(Distinct.Key(value: $0, options: [])) }))
    }
  }

  private static func members(_ value: Value) throws(EvaluationError) -> [Value] {
    if value.isNull { return [] }
    guard let members = value.members else { throw .mismatch(value, expected: "a collection") }
    return members
  }
}
