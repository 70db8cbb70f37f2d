internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// A uniqueness constraint as a rule; of the objects with equal values, the one with the lowest key may stay.
struct UniqueRule: Sendable {
  /// The entity that declares the constraint.
  let entity: String
  let property: String
  /// NSManagedObjectConstraintMergeError.
  let code = 133_021
  let words: String
  let root: Int
  /// Selects key and entity number of the objects that break the rule; refused objects are ignored.
  let statement: String

  static func rules(of entities: [String], in layout: StoreLayout) -> [UniqueRule] {
    layout.model.entities.flatMap { entity in
      entity.uniquenessConstraints.compactMap { names -> UniqueRule? in
        guard let table = layout.table(of: entity.name), let root = layout.rootNumber(of: entity.name),
          let columns = layout.columns(of: names, in: entity.name)
        else { return nil }
        let numbers = entities.filter { layout.table(of: $0) == table }.compactMap { layout.entityNumbers[$0] }
        guard !numbers.isEmpty else { return nil }
        var present = columns.map { "s.\(quoted($0)) IS NOT NULL" }
        present.append("NOT \(Quarantine.isRefused("s.Z_PK", root: root))")
        for (name, column) in zip(names, columns) {
          // A reference to a refused object will become nil.
          guard let relationship = layout.model.relationship(name, of: entity.name),
            let target = layout.rootNumber(of: relationship.destinationEntityName)
          else { continue }
          present.append("NOT \(Quarantine.isRefused("s.\(quoted(column))", root: target))")
        }
        let values = columns.map { "s.\(quoted($0))" }.joined(separator: ", ")
        return UniqueRule(
          entity: entity.name, property: names.joined(separator: " + "),
          words: "is unique, and an object with a lower key has the same value", root: root,
          statement: "SELECT key, number FROM (SELECT s.Z_PK AS key, s.Z_ENT AS number, "
            + "row_number() OVER (PARTITION BY \(values) ORDER BY s.Z_PK) AS place "
            + "FROM main.\(quoted(table.name)) AS s WHERE \(present.joined(separator: " AND "))) "
            + "WHERE place > 1 AND number IN (\(numbers.map(String.init).joined(separator: ", ")))")
      }
    }
  }
}
