package import DecantModel

/// Core Data's layout of a model in SQLite: every table and column by name, with its content.
package struct StoreLayout: Sendable {
  /// The content of a column of an entity table.
  package enum Role: Sendable, Hashable {
    /// `Z_PK`, the row's number within its table (docs/formats/core-data-sqlite.md 2.1).
    case key
    /// `Z_ENT`, the number of the row's own entity.
    case entity
    /// `Z_OPT`, the count of saves.
    case saves
    case attribute(Property)
    /// The key of a to-one relationship's target.
    case toOne(Property)
    /// The entity number of a to-one relationship's target (docs/formats/core-data-sqlite.md 2.3).
    case toOneEntity(Property)
    /// The object's place among the targets of an ordered relationship, stored at the to-one end
    /// (docs/formats/core-data-sqlite.md 2.5).
    case order(Property)
    /// The owner of a to-many relationship without inverse, stored at the target (docs/formats/core-data-sqlite.md
    /// 4.8).
    case owner(Property)
  }

  /// A property together with the entity that declares it.
  package struct Property: Sendable, Hashable, CustomStringConvertible {
    package let entity: String
    package let name: String

    package init(entity: String, name: String) {
      self.entity = entity
      self.name = name
    }

    package var description: String { "\(entity).\(name)" }
  }

  package struct Column: Sendable, Hashable {
    package let name: String
    /// The type as written in the statement.
    package let type: String
    package let role: Role
  }

  /// The table of a root entity, which also holds the rows of all its subentities.
  package struct Table: Sendable, Hashable {
    package let name: String
    package let rootEntity: String
    package let columns: [Column]
  }

  /// One key column of a join table.
  package struct JoinEnd: Sendable, Hashable {
    /// The relationship whose targets the column holds.
    package let relationship: Property
    package let column: String
    /// The column with the target's place among the owner's targets, for an ordered relationship
    /// (docs/formats/core-data-sqlite.md 4.6).
    package let orderColumn: String?
  }

  package struct JoinTable: Sendable, Hashable {
    package let name: String
    /// The inverse of the relationship that names the table: its column comes first.
    package let first: JoinEnd
    /// The relationship that names the table.
    package let second: JoinEnd
    /// A root entity: its table is created before this join table.
    package let rootEntity: String
  }

  /// A name or statement that the rules don't determine (docs/formats/core-data-sqlite.md 13).
  package struct Unsettled: Sendable, Hashable, CustomStringConvertible {
    package let property: Property
    /// The open question, as the end of a sentence.
    package let question: String
    /// Whether the tables and indexes of a genuine store would give the answer.
    package let canBeSettled: Bool
    /// Whether a store's own tables give the answer, so that the store can be read.
    ///
    /// If it is false, the tables can only confirm the likely answer.
    package let isToldByTables: Bool

    package init(
      property: Property, question: String, canBeSettled: Bool = true, isToldByTables: Bool = false
    ) {
      self.property = property
      self.question = question
      self.canBeSettled = canBeSettled
      self.isToldByTables = isToldByTables
    }

    package var description: String { "\(property): \(question)" }
  }

  package let model: ManagedObjectModel
  package let framework: FrameworkVersion
  /// Entity numbers (`Z_ENT`) by entity name (docs/formats/core-data-sqlite.md 1.2).
  package let entityNumbers: [String: Int]
  /// The tables of root entities in creation order.
  package let tables: [Table]
  /// The join tables, in creation order within each root entity.
  package let joinTables: [JoinTable]
  /// Open points that the rules and the evidence don't settle.
  ///
  /// A store must not be written while there are such points.
  package let unsettled: [Unsettled]

  /// The indexes of the evidence, for fetch indexes whose statements the rules don't give.
  let indexEvidence: FetchIndexEvidence

  /// Set by `SchemaStatements.init(_:)`.
  let madeStatements = MadeStatements()
  let tableIndex: [String: Int]
  let columnIndex: [Role: String]

  /// Lays out a model.
  ///
  /// - Parameters:
  ///   - framework: The version whose statements are wanted. Names of tables and columns are the same for all versions.
  ///   - evidence: The tables of a genuine store of this model version, which settle open points
  ///     (docs/formats/core-data-sqlite.md 13).
  ///   - isPassing: Whether stores of the layout are only intermediate. Core Data never reads such a store, so open
  ///     points that a genuine store could settle don't matter.
  /// - Throws: `LayoutError` for names that can't be names of tables, columns or indexes, and for two equal names.
  package init(
    _ model: ManagedObjectModel, framework: FrameworkVersion, evidence: SchemaEvidence? = nil,
    isPassing: Bool = false
  ) throws(LayoutError) {
    try LayoutError.checkNames(of: model)
    let numbers = EntityNumbering.numbers(of: model)
    var builder = TableBuilder(model: model, numbers: numbers)
    let tables = builder.tables()
    var joins = JoinTableBuilder(model: model, numbers: numbers, evidence: evidence)
    let joinTables = joins.joinTables()
    try LayoutError.checkClashes(tables: tables, joinTables: joinTables)
    self.model = model
    self.framework = framework
    entityNumbers = numbers
    self.tables = tables
    self.joinTables = joinTables
    tableIndex = Dictionary(
      tables.enumerated().map { ($0.element.rootEntity, $0.offset) }, uniquingKeysWith: { first, _ in first })
    columnIndex = Dictionary(
      tables.flatMap { $0.columns.dropFirst(3).map { ($0.role, $0.name) } },
      uniquingKeysWith: { first, _ in first })
    indexEvidence = FetchIndexEvidence(statements: evidence?.indexes ?? [:])
    let open = builder.unsettled.filter { item in
      !item.canBeSettled || !(evidence?.confirms(item.property, in: tables) ?? false)
    }
    unsettled = (open + joins.unsettled).filter { !isPassing || !$0.canBeSettled }
  }

  /// The layout's own names as evidence, for another model of the same version.
  package var evidence: SchemaEvidence {
    let entities = tables.map { ($0.name, $0.columns.map(\.name)) }
    let joins = joinTables.map { join in
      let ends = [join.first, join.second]
      return (join.name, ends.map(\.column) + ends.compactMap(\.orderColumn))
    }
    return SchemaEvidence(
      tables: Dictionary(entities + joins) { first, _ in first }, indexes: indexEvidence.statements)
  }

  /// The table that holds an entity's rows; `nil` if the model doesn't have the entity.
  package func table(of entity: String) -> Table? {
    model.rootName(of: entity).flatMap { tableIndex[$0] }.map { tables[$0] }
  }

  /// The column of an attribute, own or inherited; `nil` if there is none.
  package func attributeColumn(_ name: String, of entity: String) -> String? {
    property(name, of: entity).flatMap { columnIndex[.attribute($0)] }
  }

  /// The key column of a to-one relationship, own or inherited; `nil` if there is none.
  package func toOneColumn(_ name: String, of entity: String) -> String? {
    property(name, of: entity).flatMap { columnIndex[.toOne($0)] }
  }

  /// The entity column of a to-one relationship whose destination has subentities; `nil` for other properties.
  package func toOneEntityColumn(_ name: String, of entity: String) -> String? {
    property(name, of: entity).flatMap { columnIndex[.toOneEntity($0)] }
  }

  /// The order column of a to-one relationship whose inverse is ordered; `nil` for other properties.
  package func orderColumn(_ name: String, of entity: String) -> String? {
    property(name, of: entity).flatMap { columnIndex[.order($0)] }
  }

  /// The column on the target's table for a to-many relationship without inverse; `nil` for other properties.
  package func ownerColumn(_ name: String, of entity: String) -> String? {
    property(name, of: entity).flatMap { columnIndex[.owner($0)] }
  }

  /// The join table of a many-to-many relationship, and whether this relationship names the table.
  ///
  /// - Returns: `nil` for other properties.
  package func joinTable(_ name: String, of entity: String) -> (table: JoinTable, isNaming: Bool)? {
    guard let property = property(name, of: entity) else { return nil }
    for table in joinTables {
      if table.second.relationship == property { return (table, true) }
      if table.first.relationship == property { return (table, false) }
    }
    return nil
  }

  /// The property with the entity that declares it; `nil` if the entity has no such property.
  package func property(_ name: String, of entity: String) -> Property? {
    model.declaringEntity(of: name, in: entity).map { Property(entity: $0.name, name: name) }
  }

  /// The entity numbers of an entity and all its subentities.
  package func entityNumbers(inFamilyOf entity: String) -> [Int] {
    model.family(of: entity).compactMap { entityNumbers[$0.name] }
  }
}
