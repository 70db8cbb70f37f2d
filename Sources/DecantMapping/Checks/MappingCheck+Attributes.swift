internal import DecantModel
internal import PredicateFormat

extension MappingCheck {
  mutating func checkAttributes(of entity: EntityMapping) {
    guard let name = entity.destinationEntityName, destination.entity(named: name) != nil else { return }
    let rows = Dictionary(entity.attributeMappings.map { ($0.destinationName, $0) }) { first, _ in first }
    for attribute in destination.attributes(of: name) where !attribute.isTransient {
      let row = rows[attribute.name]?.value ?? .unset
      if case .expression(let expression) = row, attribute.isDerived {
        report(
          "the attribute is derived, so the value of “\(expression)” isn't written", "Remove the row", .warning,
          in: entity, property: attribute.name)
        continue
      }
      if case .expression(let expression) = row, !entity.isLeftToProgram {
        check(expression, for: attribute, in: entity)
      }
      // A policy that makes the objects may set all attributes.
      if holdsRows(entity), entity.policy == nil { checkRequired(attribute, row, in: entity) }
    }
  }

  // MARK: Types

  private mutating func check(
    _ expression: FormatExpression, for attribute: Attribute, in entity: EntityMapping
  ) {
    if let (former, owner) = sourceAttribute(expression, in: entity), !former.isTransient {
      guard let sort = ValueSort(former.type) else { return }
      compare(sort, attribute, "“\(owner).\(former.name)” is \(former.type.name) and gives", in: entity)
      if sort == ValueSort(attribute.type) { checkRange(former, attribute, in: entity) }
      return
    }
    let kind = kind(of: expression, .attribute(attribute.name), in: entity)
    if expression.sourceKeys != nil, case .object(let target, .source, _) = kind.one {
      return report(
        "the expression gives \(kind.members == nil ? "an object" : "objects") of the source entity “\(target)”, and an "
          + "attribute holds a value",
        "Go on to an attribute, as in “\(expression).name”", in: entity, property: attribute.name)
    }
    compare(kind, attribute, in: entity)
    checkFractions(ofBranches: expression, attribute, in: entity)
  }

  /// Finds branches of TERNARY that are source attributes and lose their fractions.
  ///
  /// The ranges of integers aren't checked, because the condition may exclude numbers that don't fit.
  private mutating func checkFractions(
    ofBranches expression: FormatExpression, _ attribute: Attribute, in entity: EntityMapping
  ) {
    guard case .ternary = expression, attribute.type.integerRange != nil else { return }
    var seen: Set<String> = []
    for branch in expression.branches {
      guard let (former, owner) = sourceAttribute(branch, in: entity), !former.isTransient,
        ValueSort(former.type) == .number, former.type.integerRange == nil,
        seen.insert("\(owner).\(former.name)").inserted
      else { continue }
      checkRange(former, attribute, in: entity)
    }
  }

  private mutating func compare(
    _ kind: ExpressionKind, _ attribute: Attribute, in entity: EntityMapping
  ) {
    let kinds = kind.alternatives
    let wrong = kinds.filter { !$0.fits(attribute.type) }
    guard let first = wrong.first else { return }
    let isCertain = wrong.count == kinds.count
    let gives = isCertain ? "the expression gives" : "the expression may give"
    let severity: MappingFinding.Severity = isCertain && entity.policy == nil ? .error : .warning
    if first.family == .collection {
      return report(
        "\(gives) many values, and an attribute holds one",
        "Make one value of them, for instance with @count, @max or join()", severity, in: entity,
        property: attribute.name)
    }
    if first.isNoPlainValue {
      return report(
        "\(gives) \(first.words), and an attribute holds a value",
        first.family == .object ? "Go on to an attribute" : "Write an expression that gives a value", severity,
        in: entity, property: attribute.name)
    }
    if case .constant(let value) = first, first.family?.sort == ValueSort(attribute.type),
      let range = attribute.type.integerRange
    {
      return report(
        "\(isCertain ? "" : "the value may be ")\(FormatExpression.constant(value))"
          + "\(isCertain ? " doesn't" : ", which doesn't") fit into \(attribute.type.name)",
        "Write a number from \(range.lowerBound) to \(range.upperBound)", severity, in: entity,
        property: attribute.name)
    }
    guard let sort = first.family?.sort else { return }
    compare(sort, attribute, gives, isCertain: isCertain, in: entity)
  }

  private mutating func compare(
    _ sort: ValueSort, _ attribute: Attribute, _ what: String, isCertain: Bool = true, in entity: EntityMapping
  ) {
    guard let wanted = ValueSort(attribute.type), !sort.goes(into: wanted) else { return }
    // A policy may write another value than that of the expression.
    report(
      "\(what) \(sort.words), and the attribute is of type \(attribute.type.name)",
      entity.policy == nil ? sort.advice(for: wanted) : "The policy has to write another value",
      entity.policy == nil && isCertain ? .error : .warning, in: entity, property: attribute.name)
  }

  private mutating func checkRange(_ former: Attribute, _ attribute: Attribute, in entity: EntityMapping) {
    guard let range = attribute.type.integerRange else { return }
    if let wide = former.type.integerRange {
      guard wide.lowerBound < range.lowerBound || wide.upperBound > range.upperBound else { return }
      report(
        "values of “\(former.name)” outside \(range.lowerBound) to \(range.upperBound) don't fit into "
          + attribute.type.name,
        "Take a larger type in the destination, or leave such objects out with a filter", .warning, in: entity,
        property: attribute.name)
    } else if former.type != .boolean {
      report(
        "values of “\(former.name)” lose their fractions in \(attribute.type.name)",
        "Round in the expression, for instance with floor(), if another rounding is wanted", .warning,
        in: entity,
        property: attribute.name)
    }
  }

  // MARK: Required

  private mutating func checkRequired(
    _ attribute: Attribute, _ row: AttributeMapping.Value, in entity: EntityMapping
  ) {
    guard !attribute.isOptional, !attribute.isDerived else { return }
    switch row {
    case .unset, .defaultValue:
      guard attribute.defaultValue == nil else { return }
      report(
        "the attribute is required, gets no value and has no default",
        "Write an expression for it, or give it a default in the model", in: entity, property: attribute.name)
    case .expression(.constant(.null)):
      report(
        "the attribute is required, and the expression gives nil", "Write another expression", in: entity,
        property: attribute.name)
    case .expression(let expression):
      // A filter or `uniqueBy` may leave these texts out, which isn't known before the rows are read.
      if let (name, texts) = expression.nilGiver, entity.filter == nil, entity.uniqueBy == nil {
        return report(
          "the attribute is required, and \(name) gives nil for \(texts)",
          "Objects without a value are refused; write coalesce(\(expression), …) to give them one", .warning,
          in: entity, property: attribute.name)
      }
      guard let (former, owner) = sourceAttribute(expression, in: entity), former.isOptional,
        let keys = expression.sourceKeys, !leavesOut(nilOf: keys, in: entity)
      else { return }
      report(
        "the attribute is required, and “\(owner).\(former.name)” may be nil",
        "Objects without a value are refused; write TERNARY(\(expression) == nil, …, \(expression)) to give them one",
        .warning, in: entity, property: attribute.name)
    case .source, .sourceOrDefault, .derived: break
    }
  }
}

extension FormatExpression {
  /// The function that gives the expression's value and is nil for some texts, and these texts.
  fileprivate var nilGiver: (name: String, texts: String)? {
    guard case .function(let name, _) = self else { return nil }
    return switch Library.function(name)?.nilTexts {
    case .otherForm: (name, "a text of another form")
    case .empty: (name, "an empty text")
    case nil: nil
    }
  }

  fileprivate var branches: [FormatExpression] {
    guard case .ternary(_, let positive, let negative) = self else { return [self] }
    return positive.branches + negative.branches
  }
}

extension ExpressionKind {
  /// Whether an attribute of a type can hold a value of this single kind, as far as the value is known.
  fileprivate func fits(_ type: AttributeType) -> Bool {
    if isNoPlainValue { return false }
    guard let wanted = ValueSort(type), let sort = family?.sort else { return true }
    guard sort.goes(into: wanted) else { return false }
    guard case .constant(let value) = self, let range = type.integerRange else { return true }
    switch value {
    case .integer(let number): return range.contains(number)
    case .double(let number):
      return number.isNaN || Int64(exactly: number.rounded(.towardZero)).map(range.contains) == true
    default: return true
    }
  }
}
