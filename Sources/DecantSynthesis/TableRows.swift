internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// The rows of one table, in key order: all objects of the root entity and its subentities.
struct TableRows {
  /// The source of the values in one column of an entity's rows.
  private enum Column {
    case value(ValueSource)
    /// The target's key.
    ///
    /// If the table has columns for them, the target's entity number and the ordering key are written, too.
    case link(ToOneLinks, Population, hasEntity: Bool, hasOrder: Bool)
  }

  private struct EntityRows {
    let number: Int
    let statement: SQLiteStatement
    let columns: [Column]
  }

  private let population: Population
  private let entities: [EntityRows]
  private let seed: UInt64
  /// Sentences about rules of the model that the generated values and links can't satisfy.
  let shortcomings: [String]

  init(
    _ table: StoreLayout.Table, population: Population, invented: InventedLinks, unique: UniqueNumbers,
    hasExtremes: Bool, in database: SQLiteDatabase
  ) throws(SQLiteError) {
    self.population = population
    seed = SplitMix64.seed(invented.seed, table.name)
    var builder = ColumnBuilder(
      invented: invented, unique: unique, rows: population.count, hasExtremes: hasExtremes)
    var entities: [EntityRows] = []
    for block in population.blocks {
      let parts = table.columns.compactMap { column in
        builder.column(for: column.role, entity: block.entity).map { (names: $0.names, column: $0.column) }
      }
      let names = ["Z_PK", "Z_ENT", "Z_OPT"] + parts.flatMap(\.names)
      let statement = try database.prepare(
        "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) "
          + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))")
      entities.append(EntityRows(number: block.number, statement: statement, columns: parts.map(\.column)))
    }
    self.entities = entities
    shortcomings = builder.shortcomings
  }

  func write(_ places: Range<Int>, external: ExternalFiles) throws(StoreError) {
    for place in places {
      let number = population.number(at: place)
      let entity = entities[population.block(of: number)]
      let values = try entity.columns.map { (column) throws(StoreError) -> SQLiteValue? in
        guard case .value(let source) = column else { return nil }
        return try source.value(of: number, external: external)
      }
      do throws(SQLiteError) {
        try write(number, place: place, entity: entity, values)
      } catch {
        throw .sqlite(error)
      }
    }
  }

  /// - Parameter values: A value for each column; `nil` for a link.
  private func write(
    _ number: Int, place: Int, entity: EntityRows, _ values: [SQLiteValue?]
  ) throws(SQLiteError) {
    let statement = entity.statement
    var random = SplitMix64(seed, row: number)
    try statement.bind(.integer(Int64(Population.key(at: place))), at: 1)
    try statement.bind(.integer(Int64(entity.number)), at: 2)
    try statement.bind(.integer(Int64([1, 1, 2, 3][random.below(4)])), at: 3)
    var index = 4
    for (column, value) in zip(entity.columns, values) {
      switch column {
      case .value:
        try statement.bind(value ?? .null, at: index)
        index += 1
      case .link(let links, let targets, let hasEntity, let hasOrder):
        let target = links.target(of: number)
        try statement.bind(target.map { .integer(Int64(targets.key(of: $0.number))) } ?? .null, at: index)
        index += 1
        if hasEntity {
          let entity = target.map { targets.blocks[targets.block(of: $0.number)].number }
          try statement.bind(entity.map { .integer(Int64($0)) } ?? .null, at: index)
          index += 1
        }
        if hasOrder {
          try statement.bind(target.map { .integer(OrderingKeys.key(at: $0.place)) } ?? .null, at: index)
          index += 1
        }
      }
    }
    try statement.run()
  }

  private struct ColumnBuilder {
    let invented: InventedLinks
    let unique: UniqueNumbers
    let rows: Int
    let hasExtremes: Bool
    private(set) var shortcomings: [String] = []
    private var seen: Set<StoreLayout.Property> = []

    init(invented: InventedLinks, unique: UniqueNumbers, rows: Int, hasExtremes: Bool) {
      self.invented = invented
      self.hasExtremes = hasExtremes
      self.unique = unique
      self.rows = rows
    }

    /// The source for a column, with the names of all columns that it fills.
    ///
    /// - Returns: `nil` for `Z_PK`, `Z_ENT` and `Z_OPT`, for a column that stays empty in rows of this entity, and for
    ///   a column that is filled together with another column.
    mutating func column(
      for role: StoreLayout.Role, entity: String
    ) -> (names: [String], column: Column)? {
      let layout = invented.layout
      switch role {
      case .key, .entity, .saves, .toOneEntity, .order: return nil
      case .attribute(let property):
        guard layout.property(property.name, of: entity) == property,
          let attribute = layout.model.attribute(property.name, of: property.entity),
          let name = layout.attributeColumn(property.name, of: entity)
        else { return nil }
        let source = ValueSource(
          attribute, property: property, seed: invented.seed, digit: unique.digits[property], rows: rows,
          hasExtremes: hasExtremes)
        note(source.shortcoming, of: property)
        return ([name], .value(source))
      case .toOne(let property):
        guard layout.property(property.name, of: entity) == property,
          let relationship = layout.model.relationship(property.name, of: property.entity),
          let key = layout.toOneColumn(property.name, of: entity), let found = invented.links(property)
        else { return nil }
        note(found.links.shortcoming(of: property, isRequired: !relationship.isOptional), of: property)
        let number = layout.toOneEntityColumn(property.name, of: entity)
        let order = layout.orderColumn(property.name, of: entity)
        return (
          [key, number, order].compactMap { $0 },
          .link(found.links, found.targets, hasEntity: number != nil, hasOrder: order != nil)
        )
      case .owner(let property):
        guard let name = layout.ownerColumn(property.name, of: property.entity),
          let found = invented.ownerLinks(property),
          let target = layout.model.relationship(property.name, of: property.entity)?.destinationEntityName,
          layout.model.isKind(entity, of: target)
        else { return nil }
        return ([name], .link(found.links, found.targets, hasEntity: false, hasOrder: false))
      }
    }

    private mutating func note(_ shortcoming: String?, of property: StoreLayout.Property) {
      if let shortcoming, seen.insert(property).inserted { shortcomings.append(shortcoming) }
    }
  }
}
