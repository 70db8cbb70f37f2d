internal import KeyedArchive

/// Converts archives into predicates and expressions (docs/formats/predicate-format.md 5).
struct ArchivedFormatReader {
  var allowance: ArchiveAllowance
  private var depth = 0

  init(allowance: ArchiveAllowance) { self.allowance = allowance }

  private mutating func enter() throws(ArchiveError) {
    depth += 1
    guard depth <= FormatLimits.maximumDepth else { throw .tooDeep(limit: FormatLimits.maximumDepth) }
    try allowance.spend(1)
  }

  mutating func predicate(_ node: ArchiveNode) throws(ArchiveError) -> Predicate {
    try enter()
    defer { depth -= 1 }
    switch node.className {
    case "NSTruePredicate": return .always
    case "NSFalsePredicate": return .never
    case "NSComparisonPredicate": return .comparison(try comparison(node))
    case "NSCompoundPredicate": return try compound(node)
    default: throw .unknownClass(node.className ?? node.kind, expected: "a predicate that Decant knows")
    }
  }

  private mutating func compound(_ node: ArchiveNode) throws(ArchiveError) -> Predicate {
    var parts: [Predicate] = []
    for part in try node.list("NSSubpredicates", &allowance) ?? [] { parts.append(try predicate(part)) }
    switch (try node.integer("NSCompoundPredicateType"), parts.count) {
    case (0, 1): return .not(parts[0])
    case (1, _): return .all(of: parts)
    case (2, _): return .any(of: parts)
    case (let type, _):
      throw .wrongKind(
        className: "NSCompoundPredicate", key: "NSCompoundPredicateType", found: type.map { "\($0)" } ?? "nil",
        expected: "0 with one part, 1 or 2")
    }
  }

  private mutating func comparison(_ node: ArchiveNode) throws(ArchiveError) -> Comparison {
    let left = try expression(try required(node, "NSLeftExpression"))
    let right = try expression(try required(node, "NSRightExpression"))
    let kept = try required(node, "NSPredicateOperator")
    guard let type = try kept.integer("NSOperatorType") else {
      throw .missing(className: "NSPredicateOperator", key: "NSOperatorType")
    }
    guard let operation = ArchivedFormat.operators.first(where: { $0.type == type })?.operation else {
      throw .wrongKind(
        className: "NSComparisonPredicate", key: "NSOperatorType", found: "\(type)",
        expected: "an operator that Decant knows")
    }
    let modifierCode = try kept.integer("NSModifier") ?? 0
    guard let modifier = Int(exactly: modifierCode).flatMap(Comparison.Modifier.init(rawValue:)) else {
      throw .wrongKind(
        className: "NSComparisonPredicate", key: "NSModifier", found: "\(modifierCode)", expected: "0, 1 or 2")
    }
    let options = try kept.integer(kept.has("NSOptions") ? "NSOptions" : "NSFlags") ?? 0
    guard (0...15).contains(options) else {
      throw .wrongKind(
        className: "NSComparisonPredicate", key: "NSOptions", found: "\(options)", expected: "bits up to 15")
    }
    return Comparison(
      modifier: modifier, left: left, operation: operation, right: right,
      options: ComparisonOptions(rawValue: Int(options)))
  }

  mutating func expression(_ node: ArchiveNode) throws(ArchiveError) -> Expression {
    try enter()
    defer { depth -= 1 }
    switch node.className {
    case "NSSelfExpression": return .selfObject
    case "NSVariableExpression": return .variable(try identifier(node, "NSVariable"))
    case "NSConstantValueExpression": return try constant(node)
    case "NSKeyPathSpecifierExpression": return .path(from: .selfObject, try steps(node))
    case "NSKeyPathExpression": return try keyPath(node)
    case "NSFunctionExpression": return try function(node)
    case "NSFetchRequestExpression":
      let request = try expression(try required(node, "NSFRExpression"))
      let context = try expression(try required(node, "NSMOCExpression"))
      return .fetch(request, context: context, countOnly: try node.flag("NSCountOnlyFlag"))
    default: throw .unknownClass(node.className ?? node.kind, expected: "an expression that Decant knows")
    }
  }

  private mutating func keyPath(_ node: ArchiveNode) throws(ArchiveError) -> Expression {
    guard let specifier = try node.list("NSArguments", &allowance)?.first else {
      throw .missing(className: "NSKeyPathExpression", key: "NSArguments")
    }
    guard specifier.className == "NSKeyPathSpecifierExpression" else {
      throw .unknownClass(specifier.className ?? specifier.kind, expected: "a key path")
    }
    let operand = try node.member("NSOperand")
    let steps = try steps(specifier)
    return .path(
      from: try operand.map { (node) throws(ArchiveError) in try expression(node) } ?? .selfObject, steps)
  }

  private func steps(_ specifier: ArchiveNode) throws(ArchiveError) -> [KeyPath.Step] {
    let text = try specifier.requiredString("NSKeyPath")
    guard let steps = KeyPathText.steps(of: text) else {
      throw .wrongKind(
        className: "NSKeyPathSpecifierExpression", key: "NSKeyPath", found: "“\(text)”",
        expected: "keys and the collection operators that Decant knows")
    }
    return steps
  }

  private mutating func function(_ node: ArchiveNode) throws(ArchiveError) -> Expression {
    let selector = try node.requiredString("NSSelectorName")
    let operand = try required(node, "NSOperand")
    var arguments: [Expression] = []
    for argument in try node.list("NSArguments", &allowance) ?? [] {
      arguments.append(try expression(argument))
    }
    guard try operand.string("NSConstantValueClassName") == ArchivedFormat.functions else {
      return .sending(selector, to: try expression(operand), arguments)
    }
    let full = FunctionName.full(selector, arguments: arguments.count)
    guard FunctionName.misused(full, arguments: arguments.count) == nil,
      FunctionName.isWritable(full, arguments: arguments.count)
    else {
      throw .wrongKind(
        className: "NSFunctionExpression", key: "NSSelectorName", found: "“\(selector)”",
        expected: "a function that takes \(arguments.count) argument\(arguments.count == 1 ? "" : "s")")
    }
    return .call(full, arguments)
  }

  private func identifier(_ node: ArchiveNode, _ key: String) throws(ArchiveError) -> String {
    let text = try node.requiredString(key)
    guard ReservedWords.isIdentifier(text) else {
      throw .wrongKind(className: node.className ?? "object", key: key, found: "“\(text)”", expected: "a name")
    }
    return text
  }

  private func required(_ node: ArchiveNode, _ key: String) throws(ArchiveError) -> ArchiveNode {
    guard let member = try node.member(key) else {
      throw .missing(className: node.className ?? "object", key: key)
    }
    return member
  }
}
