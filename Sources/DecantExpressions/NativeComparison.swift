internal import DecantModel
internal import DecantStore
internal import PredicateFormat

/// Comparisons of values of one kind, with the same results in SQLite as in the evaluator.
///
/// Strings and URLs are compared by bytes (collation BINARY). Numbers are compared by value, also whole numbers with
/// doubles beyond 2^53.
struct NativeComparison {
  let operation: ComparisonOperator
  let options: ComparisonOptions
  let layout: StoreLayout

  /// SQL that is 1 or 0; `nil` if SQL has no equivalent.
  func condition(_ left: SQLValue, _ right: Operand) -> String? {
    switch operation {
    case .equal, .notEqual:
      guard let right = Compiler.scalar(right), let text = equality(left, right) else { return nil }
      return operation == .equal ? text : "(NOT \(text))"
    case .less: return order(left, "<", right)
    case .lessOrEqual: return order(left, "<=", right)
    case .greater: return order(left, ">", right)
    case .greaterOrEqual: return order(left, ">=", right)
    case .between: return between(left, right)
    case .in: return membership(left, right)
    default: return nil
    }
  }

  private func equality(_ left: SQLValue, _ right: SQLValue) -> String? {
    if right.kind == .null { return "(\(left.text) IS NULL)" }
    if left.kind == .null { return "(\(right.text) IS NULL)" }
    return areComparable(left, right) ? "(\(left.text) IS \(right.text))" : nil
  }

  /// Whether `IS` means the same as `==`.
  private func areComparable(_ left: SQLValue, _ right: SQLValue) -> Bool {
    if left.isNumeric && right.isNumeric { return true }
    switch (left.kind, right.kind) {
    case (.string, .string): return options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    case (.date, .date), (.uuid, .uuid), (.url, .url), (.data, .data): return true
    case (.object(let a), .object(let b)):
      return layout.model.root(of: a)?.name == layout.model.root(of: b)?.name
    default: return false
    }
  }

  /// Whether the kinds have an order that is the same in SQL.
  private func areOrdered(_ left: SQLValue, _ right: SQLValue) -> Bool {
    switch (left.kind, right.kind) {
    case (.string, .string), (.date, .date): areComparable(left, right)
    default: left.isNumeric && right.isNumeric
    }
  }

  private func order(_ left: SQLValue, _ sign: String, _ right: Operand) -> String? {
    guard let right = Compiler.scalar(right), areOrdered(left, right) else { return nil }
    return "ifnull(\(left.text) \(sign) \(right.text), 0)"
  }

  private func constants(_ operand: Operand) -> [SQLValue]? {
    guard case .residue(let residue) = operand, residue.leaves.isEmpty else {
      guard case .constant(.array(let members)) = operand else { return nil }
      return values(members.map { .constant($0) })
    }
    guard case .aggregate(let members) = residue.expression else { return nil }
    return values(members)
  }

  private func values(_ members: [FormatExpression]) -> [SQLValue]? {
    var values: [SQLValue] = []
    for member in members {
      guard case .constant(let constant) = member,
        let value = SQLText.constant(constant) ?? SQLText.object(constant, in: layout)
      else { return nil }
      values.append(value)
    }
    return values
  }

  private func between(_ left: SQLValue, _ right: Operand) -> String? {
    guard let bounds = constants(right), bounds.count == 2, bounds.allSatisfy({ areOrdered(left, $0) }) else {
      return nil
    }
    return "ifnull(\(left.text) BETWEEN \(bounds[0].text) AND \(bounds[1].text), 0)"
  }

  private func membership(_ left: SQLValue, _ right: Operand) -> String? {
    var given = constants(right)
    if case .constant(.set(let members)) = right { given = values(members.map { .constant($0) }) }
    guard let members = given, !members.isEmpty,
      members.allSatisfy({ $0.kind != .null && areComparable(left, $0) })
    else { return nil }
    return "ifnull(\(left.text) IN (\(members.map(\.text).joined(separator: ", "))), 0)"
  }
}
