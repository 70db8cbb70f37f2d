internal import DecantModel
internal import PredicateFormat

/// Checks possible lines of a text with `MappingCheck` before they are offered as choices.
struct ChoiceTrial {
  private let model: MappingModel
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel

  init(_ model: MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.model = model
    self.source = source
    self.destination = destination
  }

  /// Whether an attribute may have an expression; `nil` stands for the attribute's default.
  func accepts(_ expression: String?, attribute: String, _ index: Int) -> Bool {
    var value = AttributeMapping.Value.unset
    if let expression {
      guard let parsed = try? FormatExpression(parsing: expression) else { return false }
      value = .expression(parsed)
    }
    return !isRefused(AttributeMapping(destinationName: attribute, value: value), index)
  }

  func isRefused(_ row: AttributeMapping, _ index: Int) -> Bool {
    var mapping = model.entityMappings[index]
    mapping.attributeMappings.removeAll { $0.destinationName == row.destinationName }
    mapping.attributeMappings.append(row)
    return hasError(mapping, row.destinationName)
  }

  /// Whether a relationship may lead to the objects of a source relationship.
  func accepts(path: String, relationship: String, _ index: Int) -> Bool {
    var mapping = model.entityMappings[index]
    let rules = WritingRules(model, source: source, destination: destination)
    mapping.relationshipMappings.removeAll { $0.destinationName == relationship }
    mapping.relationshipMappings.append(
      RelationshipMapping(
        destinationName: relationship,
        value: rules.value(of: .rule(path: .source(path), mapping: .rule), relationship, index)))
    return !hasError(mapping, relationship)
  }

  /// Whether objects of an entity may become objects of another entity, with their properties mapped by the rules.
  func accepts(entity: String, into other: String) -> Bool {
    var whole = model
    whole.entityMappings.append(
      EntityMapping(
        name: "\(entity)To\(other)", type: .transform, sourceEntityName: entity, destinationEntityName: other))
    let index = whole.entityMappings.count - 1
    let rules = WritingRules(whole, source: source, destination: destination)
    whole.entityMappings[index].attributeMappings = rules.attributes(index)
    whole.entityMappings[index].relationshipMappings = rules.relationships(index)
    return !hasError(whole.entityMappings[index], nil)
  }

  /// Whether an entity mapping may make one object for each value of an expression.
  func accepts(uniqueBy expression: FormatExpression, _ index: Int) -> Bool {
    var mapping = model.entityMappings[index]
    mapping.uniqueBy = expression
    return !hasError(mapping, nil)
  }

  /// Whether an entity mapping may be added, and a relationship of another entity mapping may lead to the objects of
  /// the added one.
  func accepts(_ added: EntityMapping, relationship: String, of index: Int) -> Bool {
    guard !model.entityMappings.contains(where: { $0.name == added.name }) else { return false }
    var whole = model
    whole.entityMappings.append(added)
    let place = whole.entityMappings.count - 1
    let rules = WritingRules(whole, source: source, destination: destination)
    let own = Set(added.attributeMappings.map(\.destinationName))
    whole.entityMappings[place].attributeMappings += rules.attributes(place).filter {
      !own.contains($0.destinationName)
    }
    whole.entityMappings[place].relationshipMappings = rules.relationships(place)
    whole.entityMappings[index].relationshipMappings.removeAll { $0.destinationName == relationship }
    whole.entityMappings[index].relationshipMappings.append(
      RelationshipMapping(
        destinationName: relationship,
        value: rules.value(
          of: .rule(path: .variable("source"), mapping: .named(added.name)), relationship, index)))
    let trial = ChoiceTrial(whole, from: source, to: destination)
    return !trial.hasError(whole.entityMappings[place], nil)
      && !trial.hasError(whole.entityMappings[index], relationship)
  }

  private func hasError(_ mapping: EntityMapping, _ property: String?) -> Bool {
    var single = model
    single.entityMappings = [mapping]
    return MappingCheck.findings(
      in: single, from: source, to: destination, passes: [model], arePassesWhole: true
    ).contains { $0.severity == .error && (property == nil || $0.property == property) }
  }
}
