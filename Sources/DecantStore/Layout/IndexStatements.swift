internal import DecantModel

/// The indexes of a layout in creation order (docs/formats/core-data-sqlite.md 5).
struct IndexStatements {
  private let layout: StoreLayout
  private(set) var unsettled: [StoreLayout.Unsettled] = []
  /// Fetch indexes that aren't written, because the rules and the evidence don't give their statement.
  ///
  /// A missing index does no harm (docs/formats/core-data-sqlite.md 11.6).
  private(set) var leftOut: [StoreLayout.Unsettled] = []
  /// The statements that the evidence gives for fetch indexes.
  private var settled: [StoreLayout.Property: String] = [:]

  init(_ layout: StoreLayout) {
    self.layout = layout
    for entity in layout.model.entities {
      for constraint in entity.uniquenessConstraints where layout.columns(constraint, of: entity.name) == nil {
        let name = constraint.joined(separator: ", ")
        unsettled.append(
          .init(
            property: .init(entity: entity.name, name: name),
            question: "which columns a uniqueness constraint uses if one of its names isn't a stored property",
            canBeSettled: false))
      }
      for index in entity.fetchIndexes {
        let property = StoreLayout.Property(entity: entity.name, name: index.name)
        if index.elements.contains(where: { $0.kind == .rTree }) {
          // Such an index is a separate table with triggers. Queries use the table's name, so it can't be left out.
          unsettled.append(
            .init(property: property, question: "how an R-tree fetch index is written", canBeSettled: false))
        } else if layout.columns(index.elements.map(\.property), of: entity.name) == nil {
          leftOut.append(
            .init(
              property: property, question: "how a fetch index on an expression is written", canBeSettled: false
            ))
        } else if index.partialIndexPredicate != nil {
          settled[property] = partial(index, of: entity.name)
          guard settled[property] == nil else { continue }
          leftOut.append(.init(property: property, question: "how a fetch index with a predicate is written"))
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

  /// The indexes of step 1 in docs/formats/core-data-sqlite.md 5.1, which are those of relationships.
  ///
  /// Before framework 836, the indexes of single attributes come first.
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

  /// The statement of an index with a predicate, from the evidence.
  private func partial(_ index: FetchIndex, of entity: String) -> String? {
    guard let table = layout.table(of: entity), layout.framework.namesIndexesByEntity,
      let whole = named(
        index.name, index.elements.map { ($0.property, $0.isAscending) }, of: entity, table: table)
    else { return nil }
    return layout.indexEvidence.partial(
      whole, name: "Z_\(entity)_\(index.name)", table: table,
      tableStatement: SchemaStatements.statement(table, layout: layout))
  }

  /// The names of the attributes that have an index of their own (docs/formats/core-data-sqlite.md 5.3).
  ///
  /// The attributes with the older flag (`isIndexed`) come first, sorted by name. The attributes that fetch indexes
  /// mark follow, in the order of properties in a compiled model (seen in one store).
  private func indexedAttributes(of entity: Entity) -> [String] {
    let flagged = entity.attributes.filter { $0.isIndexed && !$0.isTransient && $0.element == nil }.map(\.name)
      .sorted(by: NameOrder.ignoringCase)
    let alone = entity.fetchIndexes.filter { index in
      guard index.elements.count == 1, index.elements[0].isAscending else { return false }
      // Whether an index with a predicate also marks its attribute isn't known (docs/formats/core-data-sqlite.md 5.3),
      // so the evidence decides.
      let property = index.elements[0].property
      return index.partialIndexPredicate == nil
        || layout.indexEvidence.statements["Z_\(entity.name)_\(property)"] != nil
    }.map { $0.elements[0].property }
    let attributes = Set(entity.attributes.filter { $0.element == nil }.map(\.name))
    return flagged
      + PropertyHashOrder.properties(of: entity.name, in: layout.model).filter {
        attributes.contains($0) && alone.contains($0) && !flagged.contains($0)
      }
  }

  /// The statement of an index with the name that framework 836 and later give it (docs/formats/core-data-sqlite.md
  /// 5.2, 5.4); `nil` if a property has no column.
  private func named(
    _ name: String, _ properties: [(name: String, ascending: Bool)], of entity: String,
    table: StoreLayout.Table, unique: Bool = false
  ) -> String? {
    guard let columns = layout.columns(properties.map(\.name), of: entity) else { return nil }
    let parts = zip(columns, properties).map { "\($0) COLLATE BINARY \($1.ascending ? "ASC" : "DESC")" }
    return "CREATE \(unique ? "UNIQUE " : "")INDEX Z_\(entity)_\(name) ON \(table.name) "
      + "(\(parts.joined(separator: ", ")))"
  }

  private func named(of entity: Entity, table: StoreLayout.Table) -> [String] {
    func statement(_ name: String, _ properties: [(name: String, ascending: Bool)], unique: Bool = false)
      -> String?
    {
      named(name, properties, of: entity.name, table: table, unique: unique)
    }
    func ascending(_ names: [String]) -> [(name: String, ascending: Bool)] { names.map { ($0, true) } }
    var statements: [String?] = []
    // A store's own model lists all indexes in their order (docs/formats/core-data-sqlite.md 5.3).
    if entity.listedIndexes == nil {
      statements += indexedAttributes(of: entity).map { statement($0, ascending([$0])) }
      statements += entity.compoundIndexes.map { statement($0.joined(separator: "_"), ascending($0)) }
    }
    statements += (entity.listedIndexes ?? entity.fetchIndexes).map { index in
      index.partialIndexPredicate == nil
        ? statement(index.name, index.elements.map { ($0.property, $0.isAscending) })
        : settled[.init(entity: entity.name, name: index.name)]
    }
    if layout.framework.writesUniquenessAsIndex {
      statements += entity.uniquenessConstraints.map { names in
        statement("UNIQUE_\(names.joined(separator: "_"))", ascending(names), unique: true)
      }
    }
    var seen: Set<String> = []
    return statements.compactMap { $0 }.filter { seen.insert($0).inserted }
  }

  /// The statements of compound indexes, as frameworks before 836 write them (docs/formats/core-data-sqlite.md 5.5).
  private func compound(of entity: Entity, table: StoreLayout.Table) -> [String] {
    entity.compoundIndexes.compactMap { names in
      guard let columns = layout.columns(names, of: entity.name) else { return nil }
      return "CREATE INDEX \(table.name)_\(columns.joined(separator: "_")) ON \(table.name) "
        + "(\(columns.joined(separator: ", ")))"
    }
  }
}
