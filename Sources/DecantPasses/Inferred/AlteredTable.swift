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
    /// SQL over the row before the change.
    let expression: String
    let extent: Extent
  }

  let source: StoreLayout.Table
  let destination: StoreLayout.Table
  let pairs: [EntityPairing.Pair]
  let columns: [(source: String, destination: String)]
  let changes: [Change]
  /// Whether the source table may have rows of entities that no entity mapping takes; these rows are deleted.
  let losesRows: Bool

  var extent: Extent {
    if changes.contains(where: { $0.extent == .all }) { return .all }
    return changes.isEmpty && !losesRows ? .none : .few
  }

  /// - Returns: `nil` if no table of the source can stay with its rows.
  init?(_ table: StoreLayout.Table, in pairing: EntityPairing) {
    let pairs = pairing.pairs(intoFamilyOf: table.rootEntity)
    guard let first = pairs.first, let source = pairing.source.table(of: first.source),
      pairing.pairs.allSatisfy({ pair in
        let isFromHere = pairing.source.table(of: pair.source)?.name == source.name
        return isFromHere == pairs.contains { $0.sourceNumber == pair.sourceNumber }
      })
    else { return nil }
    let formers = ColumnExpressions(pairing, pairs: pairs, sourceTable: source)
    let types = Dictionary(source.columns.map { ($0.name, $0.type) }) { first, _ in first }
    var columns: [(source: String, destination: String)] = []
    for column in table.columns {
      guard let former = formers.former(of: column) else { continue }
      guard types[former] == column.type else { return nil }
      columns.append((former, column.name))
    }
    guard columns.count == source.columns.count, Set(columns.map(\.source)).count == columns.count else {
      return nil
    }
    let names = Dictionary(columns.map { ($0.source, $0.destination) }) { first, _ in first }
    let row: @Sendable (String) -> String = { "main.\(quoted(table.name)).\(quoted(names[$0] ?? $0))" }
    let expressions = ColumnExpressions(pairing, pairs: pairs, sourceTable: source, column: row)
    let areNumbersKept = pairs.allSatisfy { $0.sourceNumber == $0.destinationNumber }
    changes = table.columns.compactMap { column in
      guard let expression = expressions.expression(for: column) else { return nil }
      let former = formers.former(of: column)
      if let former, expression == row(former) || column.role == .entity && areNumbersKept { return nil }
      return Change(
        column: column.name, expression: expression,
        extent: Self.extent(of: column, former: former, expression, pairing))
    }
    let concrete = pairing.source.model.family(of: source.rootEntity).filter { !$0.isAbstract }
    self.source = source
    destination = table
    self.pairs = pairs
    self.columns = columns
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
    default: return expression.hasPrefix("ifnull(main.") || expression.hasPrefix("CASE ") ? .few : .all
    }
  }

  var kept: Reshaping.KeptTable {
    Reshaping.KeptTable(
      source: source.name, destination: destination.name, columns: columns,
      changed: Set(changes.map(\.column)).union(newColumns))
  }

  /// The destination columns that continue no source column.
  private var newColumns: [String] {
    let old = Set(columns.map(\.destination))
    return destination.columns.map(\.name).filter { !old.contains($0) }
  }

  /// The work that turns source rows into destination rows.
  ///
  /// Deleting comes first, because the deletion compares the entity numbers of the source, and later work may change
  /// these numbers. A chunk is committed with its checkpoint, so no row is changed twice.
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
    let empty = newColumns.filter { name in !changes.contains { $0.column == name } }.map(quoted)
    if !empty.isEmpty {
      // A stored row may have more values than the source table has columns, if the table had another column before.
      // A new column would show these values.
      let hasValue = empty.map { "\($0) IS NOT NULL" }.joined(separator: " OR ")
      work.append(
        Work(
          name, stage: .create,
          condition: "SELECT EXISTS (SELECT 1 FROM \(table) NOT INDEXED WHERE \(hasValue))",
          longerRowsOf: source.name,
          statements: [
            "UPDATE \(table) SET \(empty.map { "\($0) = NULL" }.joined(separator: ", ")) WHERE \(hasValue)"
          ]))
    }
    guard !changes.isEmpty else { return work }
    let sets = changes.map { "\(quoted($0.column)) = \($0.expression)" }.joined(separator: ", ")
    let differs = changes.map { "\(table).\(quoted($0.column)) IS NOT (\($0.expression))" }
    work.append(
      Work(
        name, stage: .create, extent: extent,
        statements: [
          "UPDATE \(table) SET \(sets) WHERE Z_PK > ?1 AND Z_PK <= ?2 AND (\(differs.joined(separator: " OR ")))"
        ]))
    return work
  }
}
