internal import DecantExpressions
internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore
internal import PredicateFormat

/// The rules for the targets of one relationship.
struct TargetRules {
  private let relationship: Relationship
  private let storage: RelationshipStorage
  private let targetRoot: String
  private let entity: String
  private let layout: StoreLayout

  init(
    _ relationship: Relationship, storage: RelationshipStorage, targetRoot: String, entity: String,
    layout: StoreLayout
  ) {
    self.relationship = relationship
    self.storage = storage
    self.targetRoot = targetRoot
    self.entity = entity
    self.layout = layout
  }

  private func requirement(_ least: Int) -> ValidationRule.Requirement {
    .init(storage: storage, targetRoot: targetRoot, least: least, allowsNone: relationship.isOptional)
  }

  func counts() -> [ValidationRule] {
    guard relationship.isToMany else {
      guard !relationship.isOptional else { return [] }
      return [
        .init(
          entity: entity, property: relationship.name, code: 1570, words: "is missing",
          broken: "s.\(quoted(storage.target)) IS NULL", requirement: requirement(1))
      ]
    }
    let count =
      "(SELECT count(*) FROM main.\(quoted(storage.table)) AS t WHERE t.\(quoted(storage.owner)) = s.Z_PK)"
    var rules: [ValidationRule] = []
    // A required to-many relationship may be empty unless its minimum forbids it: genuine stores hold such objects.
    let least = relationship.minimumCount
    if least > 0 {
      // An optional relationship may be empty, even if it has a minimum.
      let some = relationship.isOptional ? " AND \(count) > 0" : ""
      rules.append(
        .init(
          entity: entity, property: relationship.name, code: 1580,
          words: "has fewer than \(counted(least, "target"))",
          broken: "\(count) < \(least)\(some)", requirement: requirement(least), part: .minimum))
    }
    if relationship.maximumCount > 1 {
      rules.append(
        .init(
          entity: entity, property: relationship.name, code: 1590,
          words: "has more than \(counted(relationship.maximumCount, "target"))",
          broken: "\(count) > \(relationship.maximumCount)", part: .maximum))
    }
    return rules
  }

  /// The rules of the relationship's validation predicates, which a compiled model or a model made in code can have.
  ///
  /// A to-one relationship without a target breaks none of them.
  func predicates(unchecked: (String) -> Void) -> [ValidationRule] {
    let sql = SourceSQL(layout: layout, entity: entity, schema: "main")
    return relationship.validationPredicates.compactMap { predicate in
      guard let parsed = try? FormatPredicate(parsing: predicate.format),
        let condition = try? sql.condition(parsed, onTargetsOf: relationship.name)
      else {
        unchecked("the rule “\(predicate.format)” of “\(entity).\(relationship.name)”")
        return nil
      }
      let failure = ValidationRule.failure(1550, "breaks the rule “\(predicate.format)”", predicate.warning)
      let some = relationship.isToMany ? "" : "s.\(quoted(storage.target)) IS NOT NULL AND "
      return ValidationRule(
        entity: entity, property: relationship.name, code: failure.code, words: failure.words,
        broken: "\(some)NOT (\(condition))", isPredicateOnTargets: true, part: .predicate(predicate))
    }
  }
}
