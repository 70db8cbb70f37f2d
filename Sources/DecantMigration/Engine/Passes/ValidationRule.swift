internal import DecantModel
internal import DecantStore
internal import PredicateFormat

/// One rule of the destination model, as SQL over a row `s` of an entity's table.
struct ValidationRule {
  let property: String
  /// Core Data's code for objects that break it (NSManagedObjectValidationError and the codes after it).
  let code: Int
  /// What is wrong with the property of such an object: “is missing”.
  let words: String
  /// Holds for the rows that break the rule.
  let broken: String

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
          .init(property: attribute.name, code: 1570, words: "is missing", broken: "\(column) IS NULL"))
      }
      rules += limits(of: attribute, column: column, entity: entity, in: layout, unchecked: unchecked)
      if !attribute.validationPredicates.isEmpty {
        unchecked("the validation predicates of “\(entity).\(attribute.name)”")
      }
    }
    for relationship in layout.model.relationships(of: entity) where !relationship.isTransient {
      guard let storage = RelationshipStorage(of: relationship.name, entity: entity, in: layout) else {
        continue
      }
      rules += counts(of: relationship, storage)
    }
    return rules
  }

  private static func limits(
    of attribute: Attribute, column: String, entity: String, in layout: StoreLayout, unchecked: (String) -> Void
  ) -> [ValidationRule] {
    let limits = attribute.limits
    let sql = SourceSQL(layout: layout, entity: entity, schema: "main")
    let path = FormatExpression.path(from: .variable("source"), [.key(attribute.name)])
    var rules: [ValidationRule] = []
    func add(_ code: Int, _ words: String, _ broken: () throws(NotSQL) -> String) {
      do throws(NotSQL) {
        rules.append(.init(property: attribute.name, code: code, words: words, broken: try broken()))
      } catch {
        unchecked("“\(entity).\(attribute.name)”, whether it \(words)")
      }
    }
    if attribute.type == .string {
      let length = FormatExpression.path(from: path, [.key("length")])
      if case .integer(let least)? = limits.minimum {
        add(1670, "is too short") { () throws(NotSQL) in
          "\(column) IS NOT NULL AND \(try sql.value(length)) < \(least)"
        }
      }
      if case .integer(let most)? = limits.maximum {
        add(1660, "is too long") { () throws(NotSQL) in
          "\(column) IS NOT NULL AND \(try sql.value(length)) > \(most)"
        }
      }
      if let pattern = limits.regularExpression {
        let match = FormatPredicate.compare(path, .matches, .constant(.string(pattern)))
        add(1680, "doesn't match its regular expression") { () throws(NotSQL) in
          "\(column) IS NOT NULL AND NOT (\(try sql.condition(match)))"
        }
      }
    } else {
      let isDate = attribute.type == .date
      if let least = limits.minimum {
        add(isDate ? 1640 : 1620, isDate ? "is too early" : "is too small") { () throws(NotSQL) in
          "\(column) < \(SQLLiteral.text(least))"
        }
      }
      if let most = limits.maximum {
        add(isDate ? 1630 : 1610, isDate ? "is too late" : "is too large") { () throws(NotSQL) in
          "\(column) > \(SQLLiteral.text(most))"
        }
      }
    }
    return rules
  }

  private static func counts(of relationship: Relationship, _ storage: RelationshipStorage) -> [ValidationRule]
  {
    guard relationship.isToMany else {
      guard !relationship.isOptional else { return [] }
      return [
        .init(
          property: relationship.name, code: 1570, words: "is missing",
          broken: "s.\(quoted(storage.target)) IS NULL")
      ]
    }
    let count =
      "(SELECT count(*) FROM main.\(quoted(storage.table)) AS t WHERE t.\(quoted(storage.owner)) = s.Z_PK)"
    var rules: [ValidationRule] = []
    let least = max(relationship.isOptional ? 0 : 1, relationship.minimumCount)
    if least > 0 {
      // An optional relationship may be empty, whatever its minimum.
      let some = relationship.isOptional ? " AND \(count) > 0" : ""
      rules.append(
        .init(
          property: relationship.name, code: 1580, words: "has fewer than \(least) targets",
          broken: "\(count) < \(least)\(some)"))
    }
    if relationship.maximumCount > 1 {
      rules.append(
        .init(
          property: relationship.name, code: 1590, words: "has more than \(relationship.maximumCount) targets",
          broken: "\(count) > \(relationship.maximumCount)"))
    }
    return rules
  }
}
