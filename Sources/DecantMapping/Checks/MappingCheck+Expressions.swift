internal import DecantModel
internal import PredicateFormat

extension MappingCheck {
  private static let variables: Set<String> = [
    "manager", "source", "destination", "entityMapping", "propertyMapping", "entityPolicy",
  ]

  /// Keys, variables and calls in everything that is evaluated.
  mutating func checkExpressions(of entity: EntityMapping) {
    if entity.sourceExpression != nil {
      report(
        "it has a source expression of its own, which can't be run",
        "Remove the source expression, and say with a filter which objects are taken", in: entity)
    }
    if let filter = entity.filter { check(Parts(filter), of: entity, "filter", selfIsSource: true) }
    if let expression = entity.uniqueBy { check(Parts(expression), of: entity, "uniqueBy") }
    if case .predicates(let predicates) = entity.chunks {
      for (index, predicate) in predicates.enumerated() {
        check(Parts(predicate), of: entity, "chunk \(index + 1)", selfIsSource: true)
      }
    }
    for row in entity.attributeMappings {
      if case .expression(let expression) = row.value {
        check(Parts(expression), of: entity, property: row.destinationName)
      }
    }
    for row in entity.relationshipMappings {
      if case .expression(let expression) = row.value {
        check(Parts(expression), of: entity, property: row.destinationName)
      }
    }
  }

  /// What an expression is made of.
  private struct Parts {
    var expressions: [FormatExpression] = []
    /// Variables that a SUBQUERY gives a meaning.
    var bound: Set<String> = []

    init(_ expression: FormatExpression) { expression.visit { add($0) } }

    init(_ predicate: FormatPredicate) { predicate.visit { add($0) } }

    private mutating func add(_ expression: FormatExpression) {
      expressions.append(expression)
      if case .subquery(_, let variable, _) = expression { bound.insert(variable) }
    }
  }

  private mutating func check(
    _ parts: Parts, of entity: EntityMapping, _ place: String? = nil, selfIsSource: Bool = false,
    property: String? = nil
  ) {
    let prefix = place.map { "\($0): " } ?? ""
    key = place.map(Self.key)
    defer { key = nil }
    // Within a SUBQUERY keys may be those of its members.
    let selfIsSource = selfIsSource && parts.bound.isEmpty
    for expression in parts.expressions {
      switch expression {
      case .variable(let name) where !Self.variables.contains(name) && !parts.bound.contains(name):
        let known = Self.variables.sorted(by: NameOrder.codePoints)
        report(
          "\(prefix)there is no variable $\(name)",
          hint(name, known, otherwise: "The variables are: \(known.map { "$\($0)" }.joined(separator: ", "))"),
          in: entity, property: property)
      case .variable("source") where entity.sourceEntityName == nil:
        report(
          "\(prefix)without a source entity there is no $source", "Name the source entity", in: entity,
          property: property)
      case .keyPath(let path):
        if path.operand == .variable("source") || (selfIsSource && path.operand == .selfObject) {
          checkKeys(path.steps, of: entity, prefix, property)
        } else if path.operand == .selfObject, parts.bound.isEmpty {
          report(
            "\(prefix)“\(expression)” says no object that it is a key of",
            "Write $source.\(expression) for a property of the source object", in: entity, property: property)
        }
      case .function(let name, let arguments):
        checkFunction(name, arguments, of: entity, prefix, property)
      case .message(let target, let selector, _):
        checkCall(expression, target, selector, of: entity, prefix, property)
      default: break
      }
    }
  }

  /// The key of the entity mapping by the words for a place in it.
  static func key(_ place: String) -> String { place.hasPrefix("chunk") ? "chunks" : place }

  private mutating func checkKeys(
    _ steps: [KeyPath.Step], of entity: EntityMapping, _ prefix: String, _ property: String?
  ) {
    guard let name = entity.sourceEntityName, source.entity(named: name) != nil else { return }
    switch SourcePathEnd(steps, from: name, in: source) {
    case .noKey(let key, let owner):
      let known = source.attributes(of: owner).map(\.name) + source.relationships(of: owner).map(\.name)
      report(
        "\(prefix)the source entity “\(owner)” has no property “\(key)”",
        hint(key, known, otherwise: "Correct the expression"), in: entity, property: property)
    case .attribute(let attribute, _) where attribute.isTransient:
      report(
        "\(prefix)the source attribute “\(attribute.name)” is transient, and stores hold no values of it",
        "Take the value from a stored attribute", .warning, in: entity, property: property)
    default: break
    }
  }

  private mutating func checkCall(
    _ call: FormatExpression, _ target: FormatExpression, _ selector: String, of entity: EntityMapping,
    _ prefix: String, _ property: String?
  ) {
    if let lookup = DestinationLookup(call) {
      if case .entityMapping(let name) = lookup.kind, byName[name] == nil, knowsMappings {
        report(
          "\(prefix)there is no entity mapping “\(name)”",
          hint(name, byName.keys.sorted(by: NameOrder.codePoints), otherwise: "Correct the name"), in: entity,
          property: property)
      }
      return
    }
    if let call = ClassCall(call) {
      report(
        "\(prefix)“\(call.selector)” is a method of the application's class “\(call.className)”",
        "Supply a function of that name in the team's worker, or write the value as an expression", .warning,
        in: entity, property: property, subject: .function)
      return
    }
    switch target {
    case .variable("manager"):
      if selector == SourceFetch.selector { return }
      report(
        "\(prefix)the migration manager answers no call “\(selector)”",
        hint(
          selector, [DestinationLookup.byMapping, DestinationLookup.byRelationship],
          otherwise:
            "It answers “\(DestinationLookup.byMapping)” and “\(DestinationLookup.byRelationship)” with a name "
            + "and source objects"),
        in: entity, property: property)
    case .variable("entityPolicy"):
      if entity.policy == nil {
        report(
          "\(prefix)“\(selector)” is a method of the policy, and the entity mapping has none",
          "Name the policy's class", in: entity, property: property)
      }
    default: break
    }
  }
}
