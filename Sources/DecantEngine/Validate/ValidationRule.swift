package import DecantModel
internal import DecantPasses
internal import DecantSQLite
package import DecantStore
internal import PredicateFormat

/// One rule of the destination model, as SQL over a row `s` of an entity's table.
package struct ValidationRule: Sendable {
  /// The least number of a relationship's targets; a rule with a requirement can be broken when targets are removed.
  package struct Requirement: Sendable {
    package let storage: RelationshipStorage
    package let targetRoot: String
    package let least: Int
    /// Whether it is valid to have no target.
    let allowsNone: Bool
  }

  package let entity: String
  package let property: String
  /// Core Data's error code for objects that break the rule, or the model's own code.
  let code: Int
  /// What is wrong with the property of such an object, for example “is missing”.
  let words: String
  /// SQL that is true for the rows that break the rule.
  package let broken: String
  package var requirement: Requirement?
  var isPredicateOnTargets = false
  var part = Part.required

  /// The setting of a property from which a rule follows.
  package enum Part: Sendable, Hashable {
    case required
    case minimum
    case maximum
    case pattern
    case predicate(ValidationPredicate)
  }

  /// The rules for the objects of an entity, inherited properties included.
  ///
  /// - Parameter unchecked: Called with each rule that can't be checked.
  package static func rules(
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

  /// The code and the words for a broken rule, with the model's own code or text if it has one.
  static func failure(
    _ code: Int, _ words: String, _ warning: ValidationWarning?
  ) -> (code: Int, words: String) {
    switch warning {
    case .code(let own)?: (own, words)
    case .message(let text)?: (code, "\(words): “\(text)”")
    case nil: (code, words)
    }
  }
}
