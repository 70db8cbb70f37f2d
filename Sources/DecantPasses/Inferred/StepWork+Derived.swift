internal import DecantModel
internal import DecantSQLite
package import DecantStore

extension StepWork {
  /// Sets attributes derived from `now()` to `Checkpoint.time`, unless the source's values stay valid.
  func times(_ table: StoreLayout.Table) -> [Work] {
    table.columns.compactMap { column in
      guard case .attribute(let property) = column.role,
        let attribute = pairing.destination.model.attribute(property.name, of: property.entity),
        let expression = attribute.derivationExpression,
        DerivationKind(expression, entity: property.entity, layout: pairing.destination) == .now
      else { return nil }
      let pairs = pairing.pairs(intoFamilyOf: property.entity).filter { pair in
        let mapping = pair.mapping.attributeMappings.first { $0.destinationName == property.name }
        return mapping?.value == .derived && !pairing.keepsDerivedValues(of: attribute, pair)
      }
      guard !pairs.isEmpty else { return nil }
      return Work(
        "\(property)", stage: .relate,
        statements: [
          "UPDATE main.\(quoted(table.name)) SET \(quoted(column.name)) = \(Checkpoint.time) "
            + "WHERE Z_ENT IN (\(pairs.map { String($0.destinationNumber) }.joined(separator: ", ")))"
        ])
    }
  }

  /// Computes again the attributes that are derived from a count.
  package func derived(_ table: StoreLayout.Table) -> [Work] {
    table.columns.compactMap { column in
      guard case .attribute(let property) = column.role,
        let attribute = pairing.destination.model.attribute(property.name, of: property.entity),
        let expression = attribute.derivationExpression,
        case .count(let child, let key) = DerivationKind(
          expression, entity: property.entity, layout: pairing.destination)
      else { return nil }
      let numbers = pairing.destination.entityNumbers(inFamilyOf: property.entity).map(String.init)
      return Work(
        "\(property)", stage: .validate,
        statements: [
          "CREATE TEMP TABLE counts AS SELECT \(quoted(key)) AS owner, count(*) AS number "
            + "FROM main.\(quoted(child)) WHERE \(quoted(key)) IS NOT NULL GROUP BY 1",
          "UPDATE main.\(quoted(table.name)) SET \(quoted(column.name)) = 0 "
            + "WHERE Z_ENT IN (\(numbers.joined(separator: ", ")))",
          "UPDATE main.\(quoted(table.name)) SET \(quoted(column.name)) = counts.number FROM temp.counts "
            + "WHERE Z_PK = counts.owner",
          "DROP TABLE temp.counts",
        ])
    }
  }
}
