internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
package import DecantStore

/// The expressions for the columns of a destination table, as SQL over the columns of one source row.
package struct ColumnExpressions {
  let pairing: EntityPairing
  private let origin: RelationshipOrigin
  let pairs: [EntityPairing.Pair]
  let sourceTable: StoreLayout.Table
  let column: @Sendable (String) -> String

  /// - Parameter column: Gives SQL for a column of the source row; by default, a column of the table alias `s`.
  package init(
    _ pairing: EntityPairing, pairs: [EntityPairing.Pair], sourceTable: StoreLayout.Table,
    column: @escaping @Sendable (String) -> String = { "s." + quoted($0) }
  ) {
    self.pairing = pairing
    origin = RelationshipOrigin(pairing)
    self.pairs = pairs
    self.sourceTable = sourceTable
    self.column = column
  }

  /// The expression for a column; `nil` if the column stays empty.
  package func expression(for column: StoreLayout.Column) -> String? {
    switch column.role {
    case .key: return self.column("Z_PK")
    case .entity: return pairing.renumbering(of: self.column("Z_ENT"), pairs)
    case .saves: return self.column("Z_OPT")
    case .attribute(let property):
      // A row may have values in columns that belong to other entities of its table: Core Data leaves such values there
      // when it migrates in place. The values have no meaning, but a store that stays at its version keeps them.
      if pairing.isIdentity, let own = pairing.source.attributeColumn(property.name, of: property.entity) {
        return self.column(own)
      }
      return perPair(property) { attribute(property, $0) }
    case .toOne(let property): return perPair(property) { key(property, $0) }
    case .toOneEntity(let property): return perPair(property) { entity(property, $0) }
    case .order(let property): return perPair(property) { order(property, $0) }
    case .owner(let property): return owner(property).map { self.column($0) }
    }
  }

  private func perPair(
    _ property: StoreLayout.Property, _ expression: (EntityPairing.Pair) -> String?
  ) -> String? {
    var branches: [(pair: EntityPairing.Pair, expression: String)] = []
    for pair in pairs where pairing.destination.model.isKind(pair.destination, of: property.entity) {
      if let expression = expression(pair), expression != "NULL" { branches.append((pair, expression)) }
    }
    guard let first = branches.first else { return nil }
    let isSame = branches.allSatisfy { $0.expression == first.expression }
    if isSame && branches.count == pairs.count { return first.expression }
    let grouped = Dictionary(grouping: branches) { $0.expression }
    let cases = grouped.keys.sorted().map { expression -> String in
      let numbers = (grouped[expression] ?? []).map { "\(column("Z_ENT")) = \($0.pair.sourceNumber)" }
      return "WHEN \(numbers.joined(separator: " OR ")) THEN \(expression)"
    }
    return "CASE \(cases.joined(separator: " ")) END"
  }

  private func attribute(_ property: StoreLayout.Property, _ pair: EntityPairing.Pair) -> String? {
    guard let attribute = pairing.destination.model.attribute(property.name, of: pair.destination),
      let mapping = pair.mapping.attributeMappings.first(where: { $0.destinationName == property.name })
    else { return nil }
    let standard = SQLLiteral.text(
      attribute.defaultValue, isExternal: attribute.allowsExternalBinaryDataStorage)
    switch mapping.value {
    case .source(let name): return stored(name, pair, as: attribute)
    case .sourceOrDefault(let name):
      guard let value = stored(name, pair, as: attribute) else { return standard }
      return "ifnull(\(value), \(standard))"
    case .defaultValue, .unset: return standard
    // Only inferred mapping models reach this, and these have no expressions.
    case .expression: return nil
    case .derived:
      return pairing.keepsDerivedValues(of: attribute, pair) ? stored(property.name, pair, as: attribute) : nil
    }
  }

  /// SQL that reads a source attribute's column.
  ///
  /// The SQL adds or removes the marker byte of external storage if the setting changes
  /// (docs/formats/core-data-sqlite.md 7.2).
  private func stored(_ name: String, _ pair: EntityPairing.Pair, as destination: Attribute) -> String? {
    guard let column = pairing.source.attributeColumn(name, of: pair.source) else { return nil }
    let value = self.column(column)
    let wasExternal =
      pairing.source.model.attribute(name, of: pair.source)?.allowsExternalBinaryDataStorage ?? false
    switch (wasExternal, destination.allowsExternalBinaryDataStorage) {
    case (true, false): return "\(ExternalDataFunction.inline)(\(value))"
    case (false, true): return "\(ExternalDataFunction.marked)(\(value))"
    default: return value
    }
  }

  /// The storage of a to-one relationship's pairs; `nil` if the pairs aren't in a column of `sourceTable`.
  func storage(
    _ property: StoreLayout.Property, _ pair: EntityPairing.Pair
  ) -> RelationshipStorage? {
    guard let storage = origin.storage(of: property, for: pair), storage.kind == .owners,
      storage.table == sourceTable.name
    else { return nil }
    return storage
  }

  private func key(_ property: StoreLayout.Property, _ pair: EntityPairing.Pair) -> String? {
    storage(property, pair).map { column($0.target) }
  }

  /// SQL for the target's entity number in the destination, read from the target's row.
  private func entity(_ property: StoreLayout.Property, _ pair: EntityPairing.Pair) -> String? {
    guard let storage = storage(property, pair),
      let relationship = pairing.destination.model.relationship(property.name, of: property.entity)
    else { return nil }
    let targets = pairing.pairs(intoFamilyOf: relationship.destinationEntityName)
    let tables = Set(targets.compactMap { pairing.source.table(of: $0.source)?.name })
    guard tables.count == 1, let table = tables.first else { return nil }
    return "(SELECT \(pairing.renumbering(of: "t.Z_ENT", targets)) FROM source.\(quoted(table)) AS t "
      + "WHERE t.Z_PK = \(column(storage.target)))"
  }

  private func order(_ property: StoreLayout.Property, _ pair: EntityPairing.Pair) -> String? {
    guard let order = storage(property, pair)?.inverseOrder else { return nil }
    return column(order)
  }

  func owner(_ property: StoreLayout.Property) -> String? {
    let storages = origin.storages(of: property)
    guard let storage = storages.first, storage.kind == .targets, storage.table == sourceTable.name else {
      return nil
    }
    return storage.owner
  }
}
