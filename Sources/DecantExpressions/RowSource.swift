internal import DecantModel
package import DecantSQLite
package import DecantStore
internal import Foundation
internal import PredicateFormat

/// Reads rows of a source store as objects with keys, to evaluate expressions row by row.
///
/// `@unchecked Sendable`: statements are used only under the lock.
package final class RowSource: @unchecked Sendable {
  let layout: StoreLayout
  private let database: SQLiteDatabase
  private let schema: String
  private let lock = NSRecursiveLock()
  private var readers: [String: EntityRows] = [:]
  private let names: [Int: String]

  /// Why a row or a property can't be read.
  package enum Failure: Error, CustomStringConvertible, Sendable {
    case missing(entity: String, key: Int64)
    case notStored(entity: String, property: String)

    package var description: String {
      switch self {
      case .missing(let entity, let key): "there is no row \(key) of “\(entity)”"
      case .notStored(let entity, let property):
        "“\(entity).\(property)” is stored in an unknown way; it can't be read"
      }
    }
  }

  /// Reads rows of the store that is attached as `schema`.
  ///
  /// If the model has external values, `ExternalDataFunction` must be registered in the database.
  package init(database: SQLiteDatabase, layout: StoreLayout, schema: String = "main") {
    self.database = database
    self.layout = layout
    self.schema = schema
    names = Dictionary(layout.entityNumbers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }

  /// The row with a primary key as an object; it is read on first access.
  ///
  /// - Parameter entity: The row's own entity, not an ancestor.
  package func object(entity: String, key: Int64) -> RowObject {
    RowObject(source: self, rows: rows(of: entity), key: key)
  }

  /// Reads rows of an entity in the order of their keys.
  ///
  /// - Parameters:
  ///   - condition: The condition of the rows, as SQL over `s`; `?1` and `?2` are the bounds of their keys.
  ///   - flag: A further condition, computed for each row, as SQL over `s`.
  ///   - limit: The largest number of rows of a batch.
  ///   - other: Another connection with the store under the same name, for a reader on another thread.
  package func batches(
    of entity: String, table: String, where condition: String, flag: String, limit: Int,
    in other: SQLiteDatabase? = nil
  ) throws(SQLiteError) -> RowBatches {
    try RowBatches(
      rows: rows(of: entity), source: self, table: "\(schema).\(quoted(table))", where: condition, flag: flag,
      limit: limit, in: other ?? database)
  }

  func rows(of entity: String) -> EntityRows {
    lock.withLock {
      if let known = readers[entity] { return known }
      let rows = EntityRows(entity: entity, layout: layout, schema: schema)
      readers[entity] = rows
      return rows
    }
  }

  func object(_ key: Int64, number: Int, declared: String) -> RowObject {
    let name = names[number].flatMap { layout.model.isKind($0, of: declared) ? $0 : nil } ?? declared
    return object(entity: name, key: key)
  }

  /// Calls a closure with each row of a cached statement, whose parameter is a key.
  func read(
    _ statement: EntityRows.Cached, key: Int64, _ row: (SQLiteStatement) throws -> Void
  ) throws {
    try lock.withLock {
      let prepared = try statement.prepared(in: database)
      prepared.reset()
      defer { prepared.reset() }
      try prepared.bind(.integer(key), at: 1)
      while try prepared.step() { try row(prepared) }
    }
  }
}
