internal import DecantExpressions
internal import DecantModel
internal import DecantPolicies
internal import DecantSQLite
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// A fetch of rows: by SQL if its predicate is SQL, else row by row.
///
/// The order must be SQL.
struct RowFetch {
  struct Found {
    let entity: String
    let key: Int64
  }

  private var query: ManagedObjectContext.Query
  private let layout: StoreLayout
  private let schema: String
  private let table: StoreLayout.Table
  private let entities: [Int: String]

  /// - Throws: `PolicyProblem.unknownEntity`.
  init(_ query: ManagedObjectContext.Query, layout: StoreLayout, schema: String) throws {
    guard let table = layout.table(of: query.entity), layout.model.entity(named: query.entity) != nil else {
      throw PolicyProblem.unknownEntity(query.entity)
    }
    self.query = query
    self.layout = layout
    self.schema = schema
    self.table = table
    let all = layout.model.family(of: query.entity).map(\.name) + [query.entity]
    let wanted = all.filter {
      query.includesSubentities ? layout.model.isKind($0, of: query.entity) : $0 == query.entity
    }
    entities = Dictionary(
      wanted.compactMap { name in layout.entityNumbers[name].map { ($0, name) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The rows that the query finds, in its order.
  ///
  /// If the query has no order, the rows are in the order of their keys.
  ///
  /// - Throws: `SQLiteError`, `PolicyProblem.unknownKey` for an order that isn't SQL, or the evaluator's error for a
  ///   predicate that isn't SQL.
  func keys(in database: SQLiteDatabase, _ reader: RowSource) throws -> [Found] {
    var condition: String?
    if let predicate = query.predicate {
      do throws(NotSQL) {
        condition = try sql.condition(predicate)
      } catch {
        return try walked(database, reader)
      }
    }
    return try found(condition: condition, order: try order(), in: database)
  }

  private var sql: SourceSQL { SourceSQL(layout: layout, entity: query.entity, schema: schema) }

  private func order() throws -> [String] {
    try query.order.map { item -> String in
      let path = FormatExpression.path(from: .variable("source"), Self.steps(item.path))
      do throws(NotSQL) {
        return "(\(try sql.value(path)))" + (item.ascending ? "" : " DESC")
      } catch {
        throw PolicyProblem.unknownKey(
          entity: query.entity, side: nil, key: item.path, known: layout.model.propertyNames(of: query.entity))
      }
    }
  }

  private static func steps(_ path: String) -> [PredicateFormat.KeyPath.Step] {
    path.split(separator: ".").map { .key(String($0)) }
  }

  private func found(condition: String?, order: [String], in database: SQLiteDatabase) throws -> [Found] {
    var found: [Found] = []
    try each(condition: condition, order: order, in: database) { row in
      found.append(row)
      return true
    }
    return found
  }

  /// Calls the body for each row until the body returns false.
  private func each(
    condition: String?, order: [String], in database: SQLiteDatabase, _ body: (Found) throws -> Bool
  ) throws {
    let numbers = entities.keys.sorted().map(String.init).joined(separator: ", ")
    let statement = try database.prepare(
      "SELECT s.Z_PK, s.Z_ENT FROM \(schema).\(quoted(table.name)) AS s WHERE s.Z_ENT IN (\(numbers))"
        + (condition.map { " AND (\($0))" } ?? "")
        + " ORDER BY \((order + ["s.Z_PK"]).joined(separator: ", ")) "
        + "LIMIT \(query.limit.map { max($0, 0) } ?? -1) OFFSET \(max(query.offset, 0))")
    defer { statement.reset() }
    while try statement.step() {
      guard let entity = entities[statement.integer(1)] else { continue }
      guard try body(Found(entity: entity, key: Int64(statement.integer(0)))) else { return }
    }
  }

  /// Evaluates each row in the query's order; only rows that match are held.
  private func walked(_ database: SQLiteDatabase, _ reader: RowSource) throws -> [Found] {
    var all = self
    all.query.limit = nil
    all.query.offset = 0
    var skipped = max(query.offset, 0)
    let limit = query.limit.map { max($0, 0) } ?? .max
    var found: [Found] = []
    guard limit > 0 else { return [] }
    var context = ExpressionFunctions.context(in: database)
    try all.each(condition: nil, order: try order(), in: database) { row in
      let object = Value.object(ObjectReference(reader.object(entity: row.entity, key: row.key)))
      (context.object, context.variables) = (object, ["source": object])
      guard try query.predicate?.holds(in: context) ?? true else { return true }
      if skipped > 0 {
        skipped -= 1
        return true
      }
      found.append(row)
      return found.count < limit
    }
    return found
  }
}
