internal import DecantMapping
internal import DecantModel
package import DecantStore

extension ColumnExpressions {
  /// The source column that becomes a destination column if the table stays; `nil` if there is none.
  ///
  /// The values may still have to change.
  package func former(of column: StoreLayout.Column) -> String? {
    switch column.role {
    case .key: "Z_PK"
    case .entity: "Z_ENT"
    case .saves: "Z_OPT"
    case .attribute(let property):
      only(property) { pair in
        if pairing.isIdentity { return pairing.source.attributeColumn(property.name, of: property.entity) }
        let mapping = pair.mapping.attributeMappings.first { $0.destinationName == property.name }
        switch mapping?.value {
        case .source(let name), .sourceOrDefault(let name):
          return pairing.source.attributeColumn(name, of: pair.source)
        case .derived:
          guard let attribute = pairing.destination.model.attribute(property.name, of: pair.destination),
            pairing.keepsDerivedValues(of: attribute, pair)
          else { return nil }
          return pairing.source.attributeColumn(property.name, of: pair.source)
        case .defaultValue, .unset, .expression, nil: return nil
        }
      }
    case .toOne(let property): only(property) { storage(property, $0)?.target }
    case .toOneEntity(let property):
      only(property) { pair in
        guard let key = storage(property, pair)?.target,
          case .toOne(let former)? = sourceTable.columns.first(where: { $0.name == key })?.role
        else { return nil }
        return pairing.source.toOneEntityColumn(former.name, of: former.entity)
      }
    case .order(let property): only(property) { storage(property, $0)?.inverseOrder }
    case .owner(let property): owner(property)
    }
  }

  /// The only source column that `column` gives for the pairs whose destination has the property.
  ///
  /// - Returns: `nil` for several columns, or for none.
  private func only(
    _ property: StoreLayout.Property, _ column: (EntityPairing.Pair) -> String?
  ) -> String? {
    let pairs = pairs.filter { pairing.destination.model.isKind($0.destination, of: property.entity) }
    let columns = Set(pairs.compactMap(column))
    return columns.count == 1 ? columns.first : nil
  }
}
