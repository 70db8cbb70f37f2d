package import DecantModel
internal import PredicateFormat

/// The mapping model that inference finds between two versions, as a text to begin with.
///
/// An open change is a comment with lines to choose from.
///
/// Apart from a few differences, a text without open changes gives the same store as the inferred step.
/// docs/mapping-models.md, “A new text”, lists the differences.
package struct StartingMapping: Sendable {
  /// The mapping model as the text states it.
  ///
  /// Removals, and entity mappings of abstract entities, are left out.
  package let mappingModel: MappingModel
  package let changes: OpenChanges
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel

  /// - Parameters:
  ///   - name: The mapping model's name.
  ///   - versions: The names of the two versions in the catalogue; `nil` for a model that isn't in a catalogue.
  ///   - survey: The inferred mapping, and the changes that can't be inferred.
  package init(
    named name: String, from source: ManagedObjectModel, to destination: ManagedObjectModel,
    versions: (source: String?, destination: String?),
    survey: (mapping: InferredMapping, refusals: [InferenceError])
  ) {
    self.source = source
    self.destination = destination
    var model = MappingModel(
      name: name, origin: .inferred, sourceVersion: versions.source, destinationVersion: versions.destination,
      validation: .report,
      entityMappings: survey.mapping.mappingModel.entityMappings.filter { mapping in
        let names = (mapping.sourceEntityName, mapping.destinationEntityName)
        return names.1 != nil && names.0.flatMap { source.entity(named: $0) }?.isAbstract != true
          && names.1.flatMap { destination.entity(named: $0) }?.isAbstract != true
      })
    let rules = WritingRules(model, source: source, destination: destination)
    var inexact: [(index: Int, attribute: String, former: String)] = []
    for index in model.entityMappings.indices {
      let rows = RuleRows(rules, index, destination)
      for (place, row) in model.entityMappings[index].attributeMappings.enumerated() {
        let entity = model.entityMappings[index].destinationEntityName ?? ""
        if let value = rows.value(row, of: entity) {
          model.entityMappings[index].attributeMappings[place].value = value
        } else if case .sourceOrDefault(let former) = row.value {
          inexact.append((index, row.destinationName, former))
          model.entityMappings[index].attributeMappings[place].value = .expression(.source(former))
        }
      }
      for (place, row) in model.entityMappings[index].relationshipMappings.enumerated() {
        model.entityMappings[index].relationshipMappings[place].value = rows.value(row)
      }
    }
    var finder = OpenChangeFinder(model, from: source, to: destination, drops: survey.mapping.drops)
    for refusal in survey.refusals { finder.add(refusal) }
    for (index, attribute, former) in inexact { finder.addDefault(of: attribute, index, formerly: former) }
    for drop in survey.mapping.drops { finder.add(drop) }
    finder.addConstraints()
    mappingModel = model
    changes = finder.changes
  }

  /// The text, with a line feed at its end.
  ///
  /// - Throws: `MappingModelError` if the text can't be read back, which would be a fault of Decant.
  package func text() throws(MappingModelError) -> String {
    let text = MappingModelText.text(of: mappingModel, from: source, to: destination, open: changes)
    try MappingModelReading.checkText(text, path: "\(mappingModel.name).mapping.json5")
    return text
  }
}

/// The rows of inferred mappings in the form that a text has.
private struct RuleRows {
  private let relationships: [String: RelationshipMapping.Value]
  private let destination: ManagedObjectModel

  init(_ rules: WritingRules, _ index: Int, _ destination: ManagedObjectModel) {
    relationships = Dictionary(rules.relationships(index).map { ($0.destinationName, $0.value) }) { first, _ in
      first
    }
    self.destination = destination
  }

  /// The attribute's value in the form of a text; `nil` if no expression states the default.
  func value(_ row: AttributeMapping, of entity: String) -> AttributeMapping.Value? {
    let attribute = destination.attribute(row.destinationName, of: entity)
    // A text computes derived values again, also if an inferred step keeps them. Both values are equal.
    if attribute?.isDerived == true { return .derived }
    switch row.value {
    case .source(let name): return .expression(.source(name))
    case .defaultValue, .unset: return .unset
    case .derived, .expression: return row.value
    case .sourceOrDefault(let name):
      guard let value = attribute?.defaultValue.flatMap(ValueText.of) else { return nil }
      return (try? FormatExpression(parsing: "coalesce(\(FormatExpression.source(name)), \(value))"))
        .map(AttributeMapping.Value.expression)
    }
  }

  /// The value that the rules give, if it takes the same source relationship; otherwise the row's own value.
  func value(_ row: RelationshipMapping) -> RelationshipMapping.Value {
    guard case .source(let name) = row.value,
      case .expression(let expression)? = relationships[row.destinationName],
      DestinationLookup(expression)?.sources == .source(name)
    else { return row.value }
    return .expression(expression)
  }
}
