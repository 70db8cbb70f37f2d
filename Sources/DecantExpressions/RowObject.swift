internal import DecantSQLite
internal import Foundation
package import PredicateFormat
internal import Synchronization

/// One row of a source store as an object with keys: the evaluator's view of the row that `SourceSQL` calls `s`.
///
/// Attributes are values of their types. A to-one relationship gives an object; it gives nil without a target and for
/// a missing target. A to-many relationship gives a set in key order, or an array if the relationship is ordered.
/// Transient properties are nil or empty. `entity` is the name of the row's entity, unless a property has that name. A
/// composite attribute is a dictionary of its elements that aren't nil; it is nil if all elements are nil.
package final class RowObject: KeyValueObject {
  private let source: RowSource
  private let rows: EntityRows
  private let plain = Mutex<[SQLiteValue]?>(nil)
  /// The batch that has the row's plain values; `nil` if the row is read alone.
  private let batch: RowBatch?
  private let place: Int
  /// The row's `Z_PK`.
  package let key: Int64

  init(source: RowSource, rows: EntityRows, key: Int64, batch: RowBatch? = nil, place: Int = 0) {
    self.source = source
    self.rows = rows
    self.key = key
    self.batch = batch
    self.place = place
  }

  package var entity: String { rows.entity }

  /// Whether the row is one of this source, and not of another store or another connection.
  package func isRead(by other: RowSource) -> Bool { source === other }

  package var identity: ObjectIdentity { .row(space: rows.root, key: key) }

  /// Whether this object has read the row's plain values; always false for a row of a batch.
  package var isRead: Bool { plain.withLock { $0 != nil } }

  /// Reads the row's plain values, unless they are in a batch.
  package func read() throws { if batch == nil { _ = try plainValues() } }

  package var label: String { "\(rows.entity)/p\(key)" }

  package func value(forKey name: String) throws -> Value? {
    switch rows.keys[name] {
    case nil: return name == "entity" ? .string(rows.entity) : nil
    case .absent(let value): return value
    case .unknown: throw RowSource.Failure.notStored(entity: rows.entity, property: name)
    case .plain(let plain):
      if let batch { return try plain.column.value(place, plain.place, of: batch) }
      let values = try plainValues()
      return try plain.column.value(values.indices.contains(plain.place) ? values[plain.place] : .null)
    case .large(let column, let statement):
      var value = Value.null
      try source.read(statement, key: key) { value = try column.value($0.value(0)) }
      return value
    case .composite(let elements):
      var values: [String: Value] = [:]
      for element in elements {
        guard let value = try self.value(forKey: element.key), !value.isNull else { continue }
        values[element.name] = value
      }
      return values.isEmpty ? .null : .dictionary(values)
    case .targets(let relationship, let statement):
      var targets: [Value] = []
      try source.read(statement, key: key) { row in
        guard case .integer(let target) = row.value(0) else { return }
        let object = source.object(
          target, number: row.integer(1), declared: relationship.destinationEntityName)
        targets.append(.object(ObjectReference(object)))
      }
      if !relationship.isToMany { return targets.first ?? .null }
      return relationship.isOrdered ? .array(targets) : .set(targets)
    }
  }

  private func plainValues() throws -> [SQLiteValue] {
    if let known = plain.withLock({ $0 }) { return known }
    var values: [SQLiteValue]?
    try source.read(rows.row, key: key) { row in
      values = (0..<row.columnCount).map { row.value($0) }
    }
    guard let values else { throw RowSource.Failure.missing(entity: rows.entity, key: key) }
    plain.withLock { $0 = values }
    return values
  }
}
