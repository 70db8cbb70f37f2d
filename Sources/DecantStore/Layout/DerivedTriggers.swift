internal import DecantModel

/// The triggers that keep derived attributes up to date (docs/formats/core-data-sqlite.md 5.6).
///
/// Their text comes from two genuine stores: one has a `now()` attribute, the other counts a to-many relationship.
struct DerivedTriggers {
  let statements: [String]
  let unsettled: [StoreLayout.Unsettled]

  static func triggers(of layout: StoreLayout) -> DerivedTriggers {
    var statements: [String] = []
    var unsettled: [StoreLayout.Unsettled] = []
    for table in layout.tables {
      for entity in layout.model.family(of: table.rootEntity) {
        for attribute in entity.attributes.sorted(by: { NameOrder.ignoringCase($0.name, $1.name) }) {
          guard let expression = attribute.derivationExpression, !attribute.isTransient,
            let column = layout.attributeColumn(attribute.name, of: entity.name)
          else { continue }
          let subject = Subject(
            table: table.name, entity: entity.name, attribute: attribute.name, column: column)
          switch DerivationKind(expression, entity: entity.name, layout: layout) {
          case .now: statements += now(subject)
          case .count(let table, let foreignKey):
            statements += count(subject, child: table, foreignKey: foreignKey)
          case nil:
            unsettled.append(
              .init(
                property: .init(entity: entity.name, name: attribute.name),
                question: "the triggers of the derivation “\(expression)”", canBeSettled: false))
          }
        }
      }
    }
    return DerivedTriggers(statements: statements, unsettled: unsettled)
  }

  private struct Subject {
    let table: String
    let entity: String
    let attribute: String
    let column: String

    func announce(_ function: String, row: String) -> String {
      "SELECT \(function)('\(table)', Z_ENT, Z_PK, '\(attribute)', \(column)) FROM \(table) WHERE Z_PK = \(row);"
    }
  }

  private static let updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
  private static let inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"

  private static func now(_ subject: Subject) -> [String] {
    let name = "Z_DA_\(subject.table)_\(subject.entity)_\(subject.attribute)"
    let set = "UPDATE \(subject.table) SET \(subject.column) = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK;"
    return [
      "CREATE TRIGGER \(name)_INSERT AFTER INSERT ON \(subject.table) FOR EACH ROW WHEN (NEW.Z_OPT NOT NULL) "
        + "BEGIN \(set) \(subject.announce(inserted, row: "NEW.Z_PK")) END",
      "CREATE TRIGGER \(name)_UPDATE AFTER UPDATE OF Z_OPT ON \(subject.table) FOR EACH ROW "
        + "BEGIN \(set) \(subject.announce(updated, row: "NEW.Z_PK")) END",
    ]
  }

  private static func count(_ subject: Subject, child: String, foreignKey key: String) -> [String] {
    let name = "Z_DA_\(child)_\(subject.entity)_\(subject.attribute)_PARAMETER"
    let (table, column) = (subject.table, subject.column)
    func change(_ event: String, _ row: String, _ value: String) -> String {
      "AFTER \(event) ON \(child) FOR EACH ROW WHEN (\(row).\(key) NOT NULL) BEGIN "
        + "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(row).\(key); "
        + "\(subject.announce(updated, row: "\(row).\(key)")) END"
    }
    return [
      "CREATE TRIGGER \(name)_INSERT " + change("INSERT", "NEW", "IFNULL(\(column), 0) + 1"),
      "CREATE TRIGGER \(name)_UPDATE_INCREMENT " + change("UPDATE OF \(key)", "NEW", "\(column) + 1"),
      "CREATE TRIGGER \(name)_UPDATE_DECREMENT " + change("UPDATE OF \(key)", "OLD", "\(column) - 1"),
      "CREATE TRIGGER \(name)_DELETE " + change("DELETE", "OLD", "\(column) - 1"),
      "CREATE TRIGGER Z_DA_\(table)_\(subject.entity)_\(subject.attribute)_SOURCE_INSERT AFTER INSERT ON \(table) "
        + "FOR EACH ROW BEGIN UPDATE \(table) SET \(column) = (SELECT IFNULL(COUNT(\(key)), 0) FROM \(child) "
        + "WHERE \(key) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; \(subject.announce(inserted, row: "NEW.Z_PK")) END",
    ]
  }
}

/// The derivations whose triggers are known.
package enum DerivationKind: Sendable, Hashable {
  case now
  /// `relationship.@count` over a one-to-many relationship: `foreignKey` is the column with the owner's key in `table`.
  case count(table: String, foreignKey: String)

  /// Recognises a derivation expression of an entity; `nil` if its triggers are not known.
  package init?(_ expression: String, entity: String, layout: StoreLayout) {
    let text = expression.filter { !$0.isWhitespace }
    if text == "now()" {
      self = .now
      return
    }
    let suffix = ".@count"
    guard text.hasSuffix(suffix) else { return nil }
    let name = String(text.dropLast(suffix.count))
    guard let relationship = layout.model.relationship(name, of: entity), relationship.isToMany,
      let inverse = layout.model.inverse(of: relationship), !inverse.relationship.isToMany,
      let table = layout.table(of: inverse.entity.name),
      let column = layout.toOneColumn(inverse.relationship.name, of: inverse.entity.name)
    else { return nil }
    self = .count(table: table.name, foreignKey: column)
  }
}
