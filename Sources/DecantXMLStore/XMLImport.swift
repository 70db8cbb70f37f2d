internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation
internal import KeyedArchive

/// Writes the objects of an XML store into the tables of an SQLite store of the same model.
///
/// The file is private to one job. It has the tables of the layout, but no indexes and triggers that only the framework
/// needs. Everything is one transaction over an empty file, so that the journal stays empty.
struct XMLImport {
  private let reader: XMLStoreReader
  private let plan: XMLImportPlan
  private let database: SQLiteDatabase
  private var layout: StoreLayout { plan.layout }

  init(_ reader: XMLStoreReader, layout: StoreLayout, database: SQLiteDatabase) {
    self.reader = reader
    plan = XMLImportPlan(layout)
    self.database = database
  }

  /// - Returns: The warnings, one sentence each.
  func run() throws(StoreError) -> [String] {
    try sql("PRAGMA synchronous=OFF; PRAGMA cache_size=-8000; PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE")
    for statement in tables + XMLReferences.tables { try sql(statement) }
    try readObjects()
    let warnings = try XMLReferences(plan, database: database, path: reader.path).resolve()
    for statement in XMLReferences.removal + indexes { try sql(statement) }
    try administer()
    try sql("COMMIT")
    return warnings
  }

  private func sql(_ text: String) throws(StoreError) {
    do { try database.execute(text) } catch { throw .sqlite(error) }
  }

  // MARK: Tables

  private var tables: [String] {
    layout.tables.map { table in
      let columns = table.columns.map { "\(quoted($0.name)) \($0.type)" }
      return "CREATE TABLE \(quoted(table.name)) (\(columns.joined(separator: ", ")))"
    }
      + layout.joinTables.map { join in
        let orders = [join.first.orderColumn, join.second.orderColumn].compactMap { $0 }
        let columns = ([join.first.column, join.second.column] + orders).map { quoted($0) + " INTEGER" }
        let key = [join.first.column, join.second.column].map(quoted).joined(separator: ", ")
        return "CREATE TABLE \(quoted(join.name)) (\(columns.joined(separator: ", ")), PRIMARY KEY (\(key)))"
      } + XMLStore.commonTables
  }

  /// The indexes by which a step reads the store, as in a genuine SQLite store.
  private var indexes: [String] {
    layout.tables.flatMap { table in
      table.columns.compactMap { column -> String? in
        switch column.role {
        case .toOne, .owner: Self.index(table.name, [column.name])
        default: nil
        }
      }
    } + layout.joinTables.map { Self.index($0.name, [$0.second.column, $0.first.column]) }
  }

  private static func index(_ table: String, _ columns: [String]) -> String {
    "CREATE INDEX \(quoted("\(table)_\(columns[0])_INDEX")) ON \(quoted(table)) "
      + "(\(columns.map(quoted).joined(separator: ", ")))"
  }

  /// Writes the high-water marks and the metadata.
  ///
  /// An XML store has one sequence of numbers for all objects (docs/formats/xml-stores.md 3.1), so every root entity
  /// has the same mark.
  private func administer() throws(StoreError) {
    do {
      let last = max(
        reader.nextObjectID, Int64(try database.integer("SELECT ifnull(max(maximum), 0) FROM (\(maxima))")))
      let insert = try database.prepare(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)")
      for row in PrimaryKeyRow.rows(of: layout) {
        try insert.run([
          .integer(Int64(row.number)), .text(row.name), .integer(Int64(row.superNumber)),
          .integer(row.superNumber == 0 ? last : 0),
        ])
      }
      try XMLStore.write(StoreMetadata(uuid: reader.uuid, entries: reader.metadata), into: database)
    } catch {
      throw .sqlite(error)
    }
  }

  private var maxima: String {
    let queries = layout.tables.map { "SELECT max(Z_PK) AS maximum FROM \(quoted($0.name))" }
    return queries.isEmpty ? "SELECT 0 AS maximum" : queries.joined(separator: " UNION ALL ")
  }

  // MARK: Objects

  private struct Statements {
    var objects: [String: SQLiteStatement] = [:]
    let key: SQLiteStatement
    let reference: SQLiteStatement

    mutating func insert(
      _ entity: XMLImportPlan.EntityPlan, _ database: SQLiteDatabase
    ) throws(SQLiteError) -> SQLiteStatement {
      if let statement = objects[entity.name] { return statement }
      let statement = try database.prepare(entity.insert)
      objects[entity.name] = statement
      return statement
    }
  }

  private func readObjects() throws(StoreError) {
    var statements: Statements
    do {
      statements = Statements(
        key: try database.prepare(XMLReferences.insertObject),
        reference: try database.prepare(XMLReferences.insertReference))
    } catch {
      throw .sqlite(error)
    }
    while let object = try reader.next() { try write(object, &statements) }
  }

  private func write(_ object: XMLObject, _ statements: inout Statements) throws(StoreError) {
    let entity: XMLImportPlan.EntityPlan
    do { entity = try plan.entity(of: object) } catch { throw reader.fault(object, nil, error.reason) }
    let values = try self.values(of: object, entity)
    do {
      try statements.key.run([.integer(object.key), .integer(Int64(entity.number))])
      let insert = try statements.insert(entity, database)
      try insert.run([.integer(object.key)] + values)
      // Clears the bound values, so that large ones don't stay in memory.
      for place in values.indices { try insert.bind(.null, at: place + 2) }
    } catch {
      throw error.isConstraint ? reader.fault(object, nil, "its id is there twice") : .sqlite(error)
    }
    for item in object.relationships { try write(item, of: object, entity, statements.reference) }
  }

  private func values(
    of object: XMLObject, _ entity: XMLImportPlan.EntityPlan
  ) throws(StoreError) -> [SQLiteValue] {
    var values = [SQLiteValue](repeating: .null, count: entity.attributeCount)
    var taken: Set<Int> = []
    for item in object.attributes {
      do throws(XMLAttributeText.Refusal) {
        let (attribute, place) = try plan.attribute(item, in: entity)
        guard taken.insert(place).inserted else {
          throw XMLAttributeText.Refusal(reason: "the property is there twice")
        }
        values[place] = try XMLAttributeText.value(item, of: attribute)
      } catch {
        throw reader.fault(object, item.name, error.reason)
      }
    }
    return values
  }

  private func write(
    _ item: XMLObject.Relationship, of object: XMLObject, _ entity: XMLImportPlan.EntityPlan,
    _ insert: SQLiteStatement
  ) throws(StoreError) {
    let relation: XMLImportPlan.Relation
    do { relation = try plan.relation(item, in: entity) } catch {
      throw reader.fault(object, item.name, error.reason)
    }
    var place: Int64 = 0
    var ids = XMLIDList(item.references)
    while let id = ids.next() {
      let target: Int64
      switch id {
      case .key(let key): target = key
      case .wrong(let word): throw reader.fault(object, item.name, "“\(word)” isn't the id of an object")
      }
      guard place == 0 || relation.relationship.isToMany else {
        throw reader.fault(object, item.name, "a to-one relationship has several targets")
      }
      do {
        try insert.run([
          .integer(Int64(relation.number)), .integer(object.key), .integer(place), .integer(target),
        ])
      } catch {
        throw error.isConstraint
          ? reader.fault(object, item.name, "the property is there twice") : .sqlite(error)
      }
      place += 1
    }
  }
}
