internal import DecantModel
internal import PredicateFormat

extension MappingCheck {
  /// Types that don't fit, and required attributes that get no value.
  mutating func checkAttributes(of entity: EntityMapping) {
    guard let name = entity.destinationEntityName, destination.entity(named: name) != nil else { return }
    let rows = Dictionary(entity.attributeMappings.map { ($0.destinationName, $0) }) { first, _ in first }
    for attribute in destination.attributes(of: name) where !attribute.isTransient {
      let row = rows[attribute.name]?.value ?? .unset
      if case .expression(let expression) = row, attribute.isDerived {
        report(
          "the attribute is derived from others, and “\(expression)” isn't written", "Remove the row", .warning,
          in: entity, property: attribute.name)
        continue
      }
      if case .expression(let expression) = row { check(expression, for: attribute, in: entity) }
      // Who makes the objects in a policy of their own may set everything there.
      if holdsRows(entity), entity.policy == nil { checkRequired(attribute, row, in: entity) }
    }
  }

  // MARK: Types

  private mutating func check(
    _ expression: FormatExpression, for attribute: Attribute, in entity: EntityMapping
  ) {
    if case .constant(.integer(let number)) = expression, let range = attribute.type.integerRange,
      !range.contains(number)
    {
      report(
        "\(number) doesn't fit into \(attribute.type.name)",
        "Write a number from \(range.lowerBound) to \(range.upperBound)", in: entity, property: attribute.name)
    }
    if let sort = ValueSort(expression) { return compare(sort, attribute, "the expression gives", in: entity) }
    guard let from = entity.sourceEntityName, source.entity(named: from) != nil else { return }
    switch SourcePathEnd(expression, from: from, in: source) {
    case .objects(let target, let isToMany):
      report(
        "the expression gives \(isToMany ? "objects" : "an object") of the source entity “\(target)”, and an attribute "
          + "holds a value",
        "Go on to an attribute, as in “\(expression).name”", in: entity, property: attribute.name)
    case .attribute(let former, let owner):
      guard let sort = ValueSort(former.type) else { return }
      compare(
        sort, attribute, "“\(owner).\(former.name)” is \(former.type.name) and gives", in: entity)
      if sort == ValueSort(attribute.type) { checkRange(former, attribute, in: entity) }
    case .unknown, nil:
      let kind = KindInference(source, source: from, selfIsSource: false).kind(of: expression)
      if kind.family == .collection {
        report(
          "the expression gives many values, and an attribute holds one",
          "Make one of them, for instance with @count, @max or join()",
          entity.policy == nil ? .error : .warning,
          in: entity, property: attribute.name)
      } else if case .value(let sort) = kind {
        compare(sort, attribute, "the expression gives", in: entity)
      }
    case .noKey: break
    }
  }

  private mutating func compare(
    _ sort: ValueSort, _ attribute: Attribute, _ what: String, in entity: EntityMapping
  ) {
    guard let wanted = ValueSort(attribute.type), wanted != sort else { return }
    // A policy may write another value than the row's.
    report(
      "\(what) \(sort.words), and the attribute is of type \(attribute.type.name)",
      entity.policy == nil ? sort.advice(for: wanted) : "The policy has to write another value",
      entity.policy == nil ? .error : .warning, in: entity, property: attribute.name)
  }

  /// Numbers that may lose something.
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
      guard let from = entity.sourceEntityName,
        case .attribute(let former, let owner) = SourcePathEnd(expression, from: from, in: source),
        former.isOptional, !NilExclusion(of: expression).holds(in: entity)
      else { return }
      report(
        "the attribute is required, and “\(owner).\(former.name)” may be nil",
        "Objects without a value are refused; write TERNARY(\(expression) == nil, …, \(expression)) to give them one",
        .warning, in: entity, property: attribute.name)
    case .source, .sourceOrDefault, .derived: break
    }
  }
}
