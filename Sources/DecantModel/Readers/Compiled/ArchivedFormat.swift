internal import KeyedArchive

/// Turns archived predicates and expressions into format text (predicate-format.md 5).
///
/// What the format describes is matched by class name as text; a class that isn't listed there is refused by name.
enum ArchivedFormat {
  static let maximumDepth = 64
  /// The class constant whose methods are the functions of the language.
  static let functions = "_NSPredicateUtilities"

  private static let operators: [Int64: String] = [
    0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH", 9: "ENDSWITH",
    10: "IN", 99: "CONTAINS", 100: "BETWEEN",
  ]

  /// The text of a predicate.
  static func predicate(
    _ node: ArchiveNode, _ allowance: inout ArchiveAllowance, depth: Int = 0
  ) throws(ArchiveError) -> String {
    try enter(depth, &allowance)
    switch node.className {
    case "NSTruePredicate": return "TRUEPREDICATE"
    case "NSFalsePredicate": return "FALSEPREDICATE"
    case "NSComparisonPredicate": return try comparison(node, &allowance, depth: depth)
    case "NSCompoundPredicate": return try compound(node, &allowance, depth: depth)
    default: throw .unknownClass(node.className ?? node.kind, expected: "a predicate that Decant knows")
    }
  }

  private static func compound(
    _ node: ArchiveNode, _ allowance: inout ArchiveAllowance, depth: Int
  ) throws(ArchiveError) -> String {
    let parts = try node.list("NSSubpredicates", &allowance) ?? []
    var texts: [String] = []
    for part in parts {
      let text = try predicate(part, &allowance, depth: depth + 1)
      texts.append(part.className == "NSCompoundPredicate" ? "(\(text))" : text)
    }
    switch (try node.integer("NSCompoundPredicateType"), texts.count) {
    case (0, 1): return "NOT \(texts[0])"
    case (1, 0): return "TRUEPREDICATE"
    case (2, 0): return "FALSEPREDICATE"
    case (1, _): return texts.joined(separator: " AND ")
    case (2, _): return texts.joined(separator: " OR ")
    case (let type, _):
      throw .wrongKind(
        className: "NSCompoundPredicate", key: "NSCompoundPredicateType",
        found: type.map { "\($0)" } ?? "nil", expected: "0 with one part, 1 or 2")
    }
  }

  private static func comparison(
    _ node: ArchiveNode, _ allowance: inout ArchiveAllowance, depth: Int
  ) throws(ArchiveError) -> String {
    let comparison = try ArchivedComparison(node)
    guard let symbol = Self.operators[comparison.type] else {
      throw .wrongKind(
        className: "NSComparisonPredicate", key: "NSOperatorType", found: "\(comparison.type)",
        expected: "an operator that Decant knows")
    }
    let left = try expression(comparison.left, &allowance, depth: depth + 1)
    let right = try expression(comparison.right, &allowance, depth: depth + 1)
    let modifier =
      switch comparison.modifier {
      case 1: "ALL "
      case 2: "ANY "
      default: ""
      }
    let letters = [(1, "c"), (2, "d"), (4, "n"), (8, "l")].filter { comparison.options & $0.0 != 0 }.map(\.1)
    let options = letters.isEmpty ? "" : "[\(letters.joined())]"
    return "\(modifier)\(left) \(symbol)\(options) \(right)"
  }

  /// The text of an expression.
  static func expression(
    _ node: ArchiveNode, _ allowance: inout ArchiveAllowance, depth: Int = 0
  ) throws(ArchiveError) -> String {
    try enter(depth, &allowance)
    switch node.className {
    case "NSSelfExpression": return "SELF"
    case "NSVariableExpression": return "$\(try node.requiredString("NSVariable"))"
    case "NSConstantValueExpression": return try ArchivedConstant.text(of: node)
    case "NSKeyPathSpecifierExpression": return try node.requiredString("NSKeyPath")
    case "NSKeyPathExpression": return try keyPath(node, &allowance, depth: depth)
    case "NSFunctionExpression": return try function(node, &allowance, depth: depth)
    default: throw .unknownClass(node.className ?? node.kind, expected: "an expression that Decant knows")
    }
  }

  private static func keyPath(
    _ node: ArchiveNode, _ allowance: inout ArchiveAllowance, depth: Int
  ) throws(ArchiveError) -> String {
    guard let specifier = try node.list("NSArguments", &allowance)?.first else {
      throw .missing(className: "NSKeyPathExpression", key: "NSArguments")
    }
    let path = try expression(specifier, &allowance, depth: depth + 1)
    guard let operand = try node.member("NSOperand"), operand.className != "NSSelfExpression" else {
      return path
    }
    return "\(try expression(operand, &allowance, depth: depth + 1)).\(path)"
  }

  /// A function of the language; `count:` of a key path is what the parser makes of a trailing `.@count`.
  private static func function(
    _ node: ArchiveNode, _ allowance: inout ArchiveAllowance, depth: Int
  ) throws(ArchiveError) -> String {
    let selector = try node.requiredString("NSSelectorName")
    guard try node.member("NSOperand")?.string("NSConstantValueClassName") == Self.functions else {
      throw .unknownClass(
        "NSFunctionExpression", expected: "a function of the predicate language, not “\(selector)”")
    }
    let arguments = try node.list("NSArguments", &allowance) ?? []
    var texts: [String] = []
    for argument in arguments { texts.append(try expression(argument, &allowance, depth: depth + 1)) }
    let arithmetic = ["add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/"]
    if let symbol = arithmetic[selector], texts.count == 2 { return "(\(texts[0]) \(symbol) \(texts[1]))" }
    if selector == "count:", arguments.count == 1, arguments[0].className == "NSKeyPathExpression" {
      return "\(texts[0]).@count"
    }
    return "\(selector)(\(texts.joined(separator: ", ")))"
  }

  private static func enter(_ depth: Int, _ allowance: inout ArchiveAllowance) throws(ArchiveError) {
    guard depth <= Self.maximumDepth else { throw .tooDeep(limit: Self.maximumDepth) }
    try allowance.spend(1)
  }
}
