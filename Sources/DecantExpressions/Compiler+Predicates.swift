internal import PredicateFormat

extension Compiler {
  /// SQL that is 1 or 0; `CASE` skips the parts that the evaluator would skip.
  mutating func condition(_ predicate: FormatPredicate) throws(NotSQL) -> String {
    switch predicate {
    case .always: return "1"
    case .never: return "0"
    case .not(let inner): return "(NOT \(try condition(inner)))"
    case .and(let parts): return try chain(parts) { "WHEN NOT \($0) THEN 0" }
    case .or(let parts): return try chain(parts) { "WHEN \($0) THEN 1" }
    case .comparison(let comparison):
      let text = try condition(comparison)
      try Self.check(text)
      return text
    }
  }

  private mutating func chain(
    _ parts: [FormatPredicate], _ way: (String) -> String
  ) throws(NotSQL) -> String {
    var conditions: [String] = []
    for part in parts { conditions.append(try condition(part)) }
    guard let last = conditions.popLast() else { return "1" }
    guard !conditions.isEmpty else { return last }
    return "(CASE \(conditions.map(way).joined(separator: " ")) ELSE \(last) END)"
  }

  private mutating func condition(_ comparison: Comparison) throws(NotSQL) -> String {
    switch comparison.operation {
    case .conformsToUTI, .equalsUTI:
      throw NotSQL("“\(comparison.operation.rawValue)” (uniform type identifiers) can't be evaluated")
    default: break
    }
    let left = row(try operand(comparison.left))
    let right = row(try operand(comparison.right))
    if let native = native(comparison, left, right) { return native }
    var leaves: [Residue.Leaf] = []
    var holdsObjects = false
    let sides = try parts([left, right], &leaves, &holdsObjects)
    return try evaluated(
      Comparison(
        modifier: comparison.modifier, left: sides[0], operation: comparison.operation, right: sides[1],
        options: comparison.options),
      leaves)
  }

  /// The primary key of an object that the caller has put into the predicate; any other operand is returned unchanged.
  ///
  /// Such an object may belong to another store, so only its key is known here.
  private func row(_ operand: Operand) -> Operand {
    guard case .constant(let value) = operand, let key = SQLText.object(value, in: layout) else {
      return operand
    }
    return .value(key)
  }

  /// The comparison in SQL; `nil` if SQL has no equivalent.
  private func native(_ comparison: Comparison, _ left: Operand, _ right: Operand) -> String? {
    let plain = NativeComparison(operation: comparison.operation, options: comparison.options, layout: layout)
    switch comparison.modifier {
    case .direct:
      if let collection = Self.collection(left), case .constant(.null) = right {
        return Self.isNil(collection.route, comparison.operation)
      }
      if comparison.operation == .in, let collection = Self.collection(right), let value = Self.scalar(left) {
        return member(value, collection, comparison.options)
      }
      if comparison.operation == .contains, let collection = Self.collection(left),
        let value = Self.scalar(right)
      {
        return member(value, collection, comparison.options)
      }
      guard let value = Self.scalar(left) else { return nil }
      return plain.condition(value, right)
    case .any, .all:
      guard let collection = Self.collection(left), let test = plain.condition(collection.value, right) else {
        return nil
      }
      return comparison.modifier == .any
        ? Self.some(of: collection.route, test, beside: right)
        : "(NOT \(Self.some(of: collection.route, "NOT \(test)", beside: right)))"
    }
  }

  private static func collection(_ operand: Operand) -> (route: Route, value: SQLValue)? {
    switch operand {
    case .rows(let route): (route, SQLValue("\(route.alias).Z_PK", .object(route.entity)))
    case .members(let route, let value): (route, value)
    default: nil
    }
  }

  private static func isNil(_ route: Route, _ operation: ComparisonOperator) -> String? {
    switch operation {
    case .equal: "(\(route.nilCondition ?? "0"))"
    case .notEqual: "(NOT (\(route.nilCondition ?? "0")))"
    default: nil
    }
  }

  private func member(
    _ value: SQLValue, _ collection: (route: Route, value: SQLValue), _ options: ComparisonOptions
  ) -> String? {
    NativeComparison(operation: .equal, options: options, layout: layout)
      .condition(collection.value, .value(value))
      .map { Self.some(of: collection.route, $0, beside: .value(value)) }
  }

  /// SQL that is 1 or 0: whether a test is true for some member.
  ///
  /// The evaluator reports the errors of all members and of the other side. So every member is evaluated, where
  /// `EXISTS` would stop at the first match. The other side is evaluated even for an empty collection, if its
  /// evaluation may fail.
  private static func some(of route: Route, _ test: String, beside other: Operand) -> String {
    let found = "((SELECT total(\(test)) \(route.body)) > 0.0)"
    guard let value = scalar(other), value.text.contains("decant_") else { return found }
    return "(\(found) + 0 * (\(value.text) IS NULL))"
  }
}
