internal import DecantModel
internal import DecantStore

extension StepWork {
  /// Derived counts are computed anew; a `now()` attribute that is new gets the time of the run from its caller.
  func derived(_ table: StoreLayout.Table) -> [Work] {
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
