internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// An entity table of the source that stays in the copy of the store and becomes a table of the destination.
package struct AlteredTable: Sendable {
  /// How many rows the work changes.
  package enum Extent: Sendable {
    case none
    /// Only rows that differ, which are usually few.
    case few
    case all
  }

  /// A column whose values change.
  struct Change: Sendable {
    let column: String
    /// SQL over the source row `s`.
    let expression: String
    let extent: Extent
  }

  let source: StoreLayout.Table
  let destination: StoreLayout.Table
  let pairs: [EntityPairing.Pair]
  let columns: [(source: String, destination: String)]
  let changes: [Change]
  /// Whether rows of entities that the destination lacks have to be deleted.
  let losesRows: Bool

  var extent: Extent {
    if changes.contains(where: { $0.extent == .all }) { return .all }
    return changes.isEmpty && !losesRows ? .none : .few
  }

  /// - Returns: `nil` if the rows can't stay: a column disappears or gets another type, rows go into several tables, or
  ///   they come from several tables.
  init?(_ table: StoreLayout.Table, in pairing: EntityPairing) {
    let pairs = pairing.pairs(intoFamilyOf: table.rootEntity)
    guard let first = pairs.first, let source = pairing.source.table(of: first.source),
      pairing.pairs.allSatisfy({ pair in
        let isFromHere = pairing.source.table(of: pair.source)?.name == source.name
        return isFromHere == pairs.contains { $0.sourceNumber == pair.sourceNumber }
      })
    else { return nil }
    let expressions = ColumnExpressions(pairing, pairs: pairs, sourceTable: source)
    let types = Dictionary(source.columns.map { ($0.name, $0.type) }) { first, _ in first }
    var columns: [(source: String, destination: String)] = []
    var changes: [Change] = []
    for column in table.columns {
      let former = expressions.former(of: column)
      if let former {
        guard types[former] == column.type else { return nil }
        columns.append((former, column.name))
      }
      guard let expression = expressions.expression(for: column) else { continue }
      if let former, expression == "s." + quoted(former) || expression == "s." + former { continue }
      if column.role == .entity, pairs.allSatisfy({ $0.sourceNumber == $0.destinationNumber }) { continue }
      changes.append(
        Change(
          column: column.name, expression: expression,
          extent: Self.extent(of: column, former: former, expression, pairing)))
    }
    guard columns.count == source.columns.count, Set(columns.map(\.source)).count == columns.count else {
      return nil
    }
    let concrete = pairing.source.model.family(of: source.rootEntity).filter { !$0.isAbstract }
    self.source = source
    destination = table
    self.pairs = pairs
    self.columns = columns
    self.changes = changes
    losesRows = concrete.count > pairs.count
  }

  private static func extent(
    of column: StoreLayout.Column, former: String?, _ expression: String, _ pairing: EntityPairing
  ) -> Extent {
    guard former != nil else { return .all }
    switch column.role {
    case .entity: return .all
    case .toOneEntity(let property):
      guard let relationship = pairing.destination.model.relationship(property.name, of: property.entity)
      else { return .all }
      let targets = pairing.pairs(intoFamilyOf: relationship.destinationEntityName)
      return targets.allSatisfy { $0.sourceNumber == $0.destinationNumber } ? .few : .all
    default: return expression.hasPrefix("ifnull(s.") || expression.hasPrefix("CASE ") ? .few : .all
    }
  }

  var kept: Reshaping.KeptTable {
    Reshaping.KeptTable(
      source: source.name, destination: destination.name, columns: columns,
      changed: Set(changes.map(\.column)))
  }

  /// The work that makes the rows those of the destination.
  ///
  /// Each piece gives the same result if it runs twice: deleting reads the numbers of the source, which only the second
  /// piece changes, and the second piece reads the source itself.
  var work: [Work] {
    let name = pairs.map(\.mapping.name).joined(separator: "+")
    let table = "main.\(quoted(destination.name))"
    let extent = Work.Extent.chunks(table: source.name, key: "Z_PK")
    let numbers = pairs.map { String($0.sourceNumber) }.joined(separator: ", ")
    var work: [Work] = []
    if losesRows {
      work.append(
        Work(
          name, stage: .create, extent: extent,
          statements: [
            "DELETE FROM \(table) WHERE Z_PK > ?1 AND Z_PK <= ?2 AND ifnull(Z_ENT NOT IN (\(numbers)), 1)"
          ]))
    }
    guard !changes.isEmpty else { return work }
    let sets = changes.map { "\(quoted($0.column)) = \($0.expression)" }.joined(separator: ", ")
    let differs = changes.map { "\(table).\(quoted($0.column)) IS NOT (\($0.expression))" }
    work.append(
      Work(
        name, stage: .create, extent: extent,
        statements: [
          "UPDATE \(table) SET \(sets) FROM source.\(quoted(source.name)) AS s NOT INDEXED "
            + "WHERE s.Z_PK > ?1 AND s.Z_PK <= ?2 AND \(table).Z_PK = s.Z_PK "
            + "AND (\(differs.joined(separator: " OR ")))"
        ]))
    return work
  }
}
