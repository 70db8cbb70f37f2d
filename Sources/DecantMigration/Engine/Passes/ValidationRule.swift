internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import PredicateFormat

/// One rule of the destination model, as SQL over a row `s` of an entity's table.
struct ValidationRule: Sendable {
  /// What a rule asks of a relationship's targets, so that it can be broken by those that go.
  struct Requirement: Sendable {
    let storage: RelationshipStorage
    let targetRoot: String
    let least: Int
    /// Whether having none at all is right.
    let allowsNone: Bool
  }

  let entity: String
  let property: String
  /// Core Data's code for objects that break it (NSManagedObjectValidationError and the codes after it), or the
  /// model's own.
  let code: Int
  /// What is wrong with the property of such an object: “is missing”.
  let words: String
  /// Holds for the rows that break the rule.
  let broken: String
  var requirement: Requirement?
  /// Whether the rule is a predicate over a relationship's targets.
  var isPredicateOnTargets = false
  /// Whether no version before may have had it: what an inferred step looks at unasked.
  var part = Part.required

  /// Which of a property's settings a rule follows from.
  enum Part: Sendable, Hashable {
    case required
    case minimum
    case maximum
    case pattern
    case predicate(ValidationPredicate)
  }

  /// The rules for the objects of an entity, inherited properties included.
  ///
  /// - Parameter unchecked: Is told what can't be looked at.
  static func rules(
    of entity: String, in layout: StoreLayout, unchecked: (String) -> Void
  ) -> [ValidationRule] {
    var rules: [ValidationRule] = []
    for attribute in layout.model.attributes(of: entity)
    where !attribute.isTransient && !attribute.isDerived && attribute.elements.isEmpty {
      guard let column = layout.attributeColumn(attribute.name, of: entity).map({ "s." + quoted($0) }) else {
        continue
      }
      if !attribute.isOptional {
        rules.append(
          .init(
            entity: entity, property: attribute.name, code: 1570, words: "is missing",
            broken: "\(column) IS NULL"))
      }
      let values = ValueRules(attribute, column: column, entity: entity, layout: layout)
      rules += values.limits(unchecked: unchecked) + values.predicates(unchecked: unchecked)
    }
    for relationship in layout.model.relationships(of: entity) where !relationship.isTransient {
      guard let storage = RelationshipStorage(of: relationship.name, entity: entity, in: layout),
        let root = layout.model.root(of: relationship.destinationEntityName)
      else { continue }
      let targets = TargetRules(
        relationship, storage: storage, targetRoot: root.name, entity: entity, layout: layout)
      rules += targets.counts() + targets.predicates(unchecked: unchecked)
    }
    return rules
  }

  /// Code and words for a broken rule, with what the model itself says of it.
  static func told(
    _ code: Int, _ words: String, _ warning: ValidationWarning?
  ) -> (code: Int, words: String) {
    switch warning {
    case .code(let own)?: (own, words)
    case .message(let text)?: (code, "\(words): “\(text)”")
    case nil: (code, words)
    }
  }
}
