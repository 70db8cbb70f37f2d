internal import DecantModel

/// The indexes of a layout in creation order (core-data-sqlite.md 5).
struct IndexStatements {
  private let layout: StoreLayout
  private(set) var unsettled: [StoreLayout.Unsettled] = []

  init(_ layout: StoreLayout) {
    self.layout = layout
    for entity in layout.model.entities {
      for constraint in entity.uniquenessConstraints where layout.columns(constraint, of: entity.name) == nil {
        let name = constraint.joined(separator: ", ")
        unsettled.append(
          .init(
            property: .init(entity: entity.name, name: name),
            question: "which columns are meant by a uniqueness constraint on what isn't a stored property"))
      }
      for index in entity.fetchIndexes {
        let property = StoreLayout.Property(entity: entity.name, name: index.name)
        if index.partialIndexPredicate != nil {
          unsettled.append(.init(property: property, question: "how a fetch index with a predicate is written"))
        } else if index.elements.contains(where: { $0.kind == .rTree }) {
          unsettled.append(.init(property: property, question: "how an R-tree fetch index is written"))
        } else if layout.columns(index.elements.map(\.property), of: entity.name) == nil {
          unsettled.append(.init(property: property, question: "how a fetch index on an expression is written"))
        }
      }
    }
  }

  func statements(for table: StoreLayout.Table) -> [String] {
    let family = layout.model.family(of: table.rootEntity)
    var statements = family.flatMap { columnIndexes(of: $0, table: table) }
    if family.count > 1 { statements.append(plain("Z_ENT", on: table.name)) }
    for entity in family {
      statements += joinIndexes(of: entity)
      statements +=
        layout.framework.namesIndexesByEntity
        ? named(of: entity, table: table) : compound(of: entity, table: table)
    }
    return statements
  }

  private func plain(_ column: String, on table: String) -> String {
    "CREATE INDEX \(table)_\(column)_INDEX ON \(table) (\(column))"
  }

  /// Step 1: relationships, and up to framework 754 the indexed attributes before them.
  private func columnIndexes(of entity: Entity, table: StoreLayout.Table) -> [String] {
    var columns: [String] = []
    if !layout.framework.namesIndexesByEntity {
      columns += indexedAttributes(of: entity).compactMap { layout.attributeColumn($0, of: entity.name) }
    }
    columns += entity.relationships.sorted { NameOrder.ignoringCase($0.name, $1.name) }.compactMap {
      layout.toOneColumn($0.name, of: entity.name)
    }
    columns += table.columns.compactMap { column in
      if case .owner(let property) = column.role,
        layout.model.relationship(property.name, of: property.entity)?.destinationEntityName == entity.name
      {
        return column.name
      }
      return nil
    }
    return columns.map { plain($0, on: table.name) }
  }

  private func joinIndexes(of entity: Entity) -> [String] {
    guard layout.framework.writesModernTables else { return [] }
    return layout.joinTables.filter { $0.second.relationship.entity == entity.name }.map { join in
      "CREATE INDEX \(join.name)_\(join.second.column)_INDEX ON \(join.name) (\(join.second.column), \(join.first.column))"
    }
  }

  /// Attributes with the older flag by name, then those that are the single ascending element of a fetch index (5.3),
  /// in the order that a compiled model has its properties in (one store has several on an entity: loopkit).
  private func indexedAttributes(of entity: Entity) -> [String] {
    let flagged = entity.attributes.filter { $0.isIndexed && !$0.isTransient }.map(\.name)
      .sorted(by: NameOrder.ignoringCase)
    let alone = entity.fetchIndexes.filter { $0.elements.count == 1 && $0.elements[0].isAscending }
      .map { $0.elements[0].property }
    let model = layout.model
    let names = model.attributes(of: entity.name).map(\.name) + model.relationships(of: entity.name).map(\.name)
    let attributes = Set(entity.attributes.map(\.name))
    return flagged
      + PropertyHashOrder.properties(names).filter {
        attributes.contains($0) && alone.contains($0) && !flagged.contains($0)
      }
  }

  /// Framework 847 and later (5.2, 5.4).
  private func named(of entity: Entity, table: StoreLayout.Table) -> [String] {
    func statement(_ name: String, _ properties: [(name: String, ascending: Bool)], unique: Bool = false)
      -> String?
    {
      guard let columns = layout.columns(properties.map(\.name), of: entity.name) else { return nil }
      let parts = zip(columns, properties).map { "\($0) COLLATE BINARY \($1.ascending ? "ASC" : "DESC")" }
      return "CREATE \(unique ? "UNIQUE " : "")INDEX Z_\(entity.name)_\(name) ON \(table.name) "
        + "(\(parts.joined(separator: ", ")))"
    }
    func ascending(_ names: [String]) -> [(name: String, ascending: Bool)] { names.map { ($0, true) } }
    var statements = indexedAttributes(of: entity).map { statement($0, ascending([$0])) }
    statements += entity.compoundIndexes.map { statement($0.joined(separator: "_"), ascending($0)) }
    statements += entity.fetchIndexes.map { index in
      statement(index.name, index.elements.map { ($0.property, $0.isAscending) })
    }
    statements += entity.uniquenessConstraints.map { names in
      statement("UNIQUE_\(names.joined(separator: "_"))", ascending(names), unique: true)
    }
    var seen: Set<String> = []
    return statements.compactMap { $0 }.filter { seen.insert($0).inserted }
  }

  /// Framework 754 and earlier (5.5).
  private func compound(of entity: Entity, table: StoreLayout.Table) -> [String] {
    entity.compoundIndexes.compactMap { names in
      guard let columns = layout.columns(names, of: entity.name) else { return nil }
      return "CREATE INDEX \(table.name)_\(columns.joined(separator: "_")) ON \(table.name) "
        + "(\(columns.joined(separator: ", ")))"
    }
  }
}
