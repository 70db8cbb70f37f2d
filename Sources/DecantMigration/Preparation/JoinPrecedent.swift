internal import DecantModel
package import DecantStore

/// Compares the source store's own join tables with the rule for their names.
///
/// If the names follow the rule, the rule names the destination's join tables. If not, the source's names stay where
/// that is possible (docs/formats/core-data-sqlite.md 4.4).
package struct JoinPrecedent {
  /// The source's layout, with the names found in the store.
  let source: StoreLayout

  package init(source: StoreLayout) {
    self.source = source
  }

  /// Whether the source store agrees with the rule.
  package enum Judgement {
    /// The store agrees with the rule, or the destination has no join table.
    case confirmed
    /// The store contradicts the rule.
    ///
    /// Everything that decides the names is the same in both versions, so the store's names stay. The value is the
    /// destination's layout with these names.
    case kept(StoreLayout)
    /// The store contradicts the rule, and the store's names can't stay.
    ///
    /// The values are one of the store's join tables and the table that the rule gives.
    case contradicted(own: StoreLayout.JoinTable, rule: StoreLayout.JoinTable)
  }

  /// Checks a destination's layout that was made by the rule alone.
  package func judgement(of layoutByRule: StoreLayout) throws(LayoutError) -> Judgement {
    guard !layoutByRule.joinTables.isEmpty, let (own, rule) = try contradiction() else { return .confirmed }
    var kept: [String: [String]] = [:]
    for table in layoutByRule.joinTables {
      guard let names = keptNames(table, in: layoutByRule) else { return .contradicted(own: own, rule: rule) }
      kept[names.table] = names.columns
    }
    let evidence = SchemaEvidence(tables: kept, indexes: layoutByRule.evidence.indexes)
    return .kept(try StoreLayout(layoutByRule.model, framework: layoutByRule.framework, evidence: evidence))
  }

  /// The first table of the source that contradicts the rule, and the table that the rule gives.
  private func contradiction() throws(LayoutError) -> (own: StoreLayout.JoinTable, rule: StoreLayout.JoinTable)?
  {
    let layoutByRule = try StoreLayout(source.model, framework: source.framework)
    for rule in layoutByRule.joinTables {
      guard let own = source.joinTables.first(where: { $0.pair == rule.pair }), own != rule else { continue }
      return (own, rule)
    }
    return nil
  }

  /// The name and columns that a join table of the destination gets by the source's names.
  ///
  /// - Returns: `nil` if a fact that decides about names may have changed.
  private func keptNames(
    _ table: StoreLayout.JoinTable, in layoutByRule: StoreLayout
  ) -> (table: String, columns: [String])? {
    guard let own = source.joinTables.first(where: { $0.pair == table.pair }),
      [own, table].allSatisfy({ !$0.hasDigitAfterName }),
      table.pair.allSatisfy({ isUnchanged($0.entity, in: layoutByRule.model) })
    else { return nil }
    let areEndsSwapped = own.second.relationship != table.second.relationship
    let (first, second) = areEndsSwapped ? (table.second, table.first) : (table.first, table.second)
    guard let number = layoutByRule.entityNumbers[second.relationship.entity] else { return nil }
    let name = "Z_\(number)\(second.relationship.name.uppercased())"
    return (name, [first, second].flatMap { [$0.column, $0.orderColumn].compactMap { $0 } })
  }

  /// Whether an entity and its subentities have the same names and the same property names in both versions.
  private func isUnchanged(_ entity: String, in model: ManagedObjectModel) -> Bool {
    func names(_ model: ManagedObjectModel) -> [String: Set<String>] {
      Dictionary(
        model.family(of: entity).map { member in
          (member.name, Set(model.propertyNames(of: member.name)))
        }, uniquingKeysWith: { $0.union($1) })
    }
    return names(model) == names(source.model)
  }
}

extension StoreLayout.JoinTable {
  fileprivate var pair: Set<StoreLayout.Property> { [first.relationship, second.relationship] }

  var signature: String { "\(name) (\(first.column), \(second.column))" }

  /// Whether the name of a column doesn't end with the name of its relationship.
  fileprivate var hasDigitAfterName: Bool {
    [first, second].contains { !$0.column.hasSuffix($0.relationship.name.uppercased()) }
  }
}
