internal import DecantExpressions
internal import DecantModel
internal import DecantPolicies
internal import Foundation
internal import PredicateFormat

/// A source row as the contents of a managed object; its stored values can't be changed.
final class SourceContents: ObjectContents {
  let rows: SourceRows
  // Each access ends at once, so accesses can't overlap. A check for each value would cost time.
  @exclusivity(unchecked) private(set) var key: Int64
  /// The rows that were read together with this row, at the index `place`; `nil` if the row was read alone.
  @exclusivity(unchecked) private var batch: RowBatch?
  @exclusivity(unchecked) private var place = 0
  private var reading: RowBatches?
  /// The row for expressions; made at its first use.
  private var known: RowObject?
  /// Values of transient attributes, which objects of opened stores can have.
  private var transients: [String: Any]?

  init(_ row: RowObject, rows: SourceRows) {
    self.rows = rows
    key = row.key
    known = row
  }

  init(_ row: Int, of batch: RowBatch, _ reading: RowBatches, rows: SourceRows) {
    self.rows = rows
    self.batch = batch
    self.reading = reading
    place = row
    key = batch.key(row)
  }

  /// Makes these the contents of another object; the former object is no longer referenced.
  func reuse(_ row: Int, of batch: RowBatch, _ reading: RowBatches) {
    if self.batch !== batch { (self.batch, self.reading) = (batch, reading) }
    place = row
    key = batch.key(row)
    if known != nil { known = nil }
  }

  /// Releases the rows that were read together with this row, because the object is still held.
  func keep() {
    guard batch != nil else { return }
    known = rows.reader.object(entity: row.entity, key: key)
    (batch, reading) = (nil, nil)
  }

  var row: RowObject {
    if let known { return known }
    guard let batch, let reading else { preconditionFailure("contents of no row") }
    let made = reading.object(place, of: batch)
    known = made
    return made
  }

  var sourceRow: (any KeyValueObject)? { row }
  var context: ManagedObjectContext? { rows.home }
  var store: String { rows.store }

  func value(forKey key: String) throws -> Any? {
    if let batch, let value = try batch.value(forKey: key, place) {
      return try any(value, key)
    }
    if let own = transients?[key] { return own }
    guard let value = try row.value(forKey: key) else {
      guard let found = try rows.fetched(key, of: row) else { throw unknown(key) }
      return found
    }
    switch value {
    case .object: return rows.object(value)
    case .set(let members): return NSSet(array: members.compactMap(rows.object))
    case .array(let members): return NSOrderedSet(array: members.compactMap(rows.object))
    default: return try any(value, key)
    }
  }

  private func any(_ value: Value, _ key: String) throws -> Any? {
    switch value {
    case .data, .dictionary:
      try rows.transformed.any(of: value, key, of: reading?.entity ?? row.entity)
    default: ValueBridge.any(of: value)
    }
  }

  func members(forKey key: String) throws -> [ManagedObject] {
    guard let value = try row.value(forKey: key) else { throw unknown(key) }
    return (value.members ?? [value]).compactMap(rows.object)
  }

  private func unknown(_ key: String) -> PolicyProblem { rows.unknown(key, of: row.entity) }

  private func refused(_ key: String) -> PolicyProblem { rows.refused(row.label, property: key) }

  func setValue(_ value: Any?, forKey key: String) throws {
    guard rows.isOpened, rows.layout.model.attribute(key, of: row.entity)?.isTransient == true else {
      throw refused(key)
    }
    transients = transients ?? [:]
    transients?[key] = ValueBridge.flattened(value)
  }

  func setMembers(_ members: [ManagedObject], forKey key: String) throws { throw refused(key) }
  func insertMember(_ member: ManagedObject, forKey key: String) throws { throw refused(key) }
  func removeMember(_ member: ManagedObject, forKey key: String) throws { throw refused(key) }

  func isChanged(_ key: String) -> Bool { false }
  var isInserted: Bool { false }
  var isDeleted: Bool { false }
  var hasChanges: Bool { false }

  var isFault: Bool { batch == nil && !(known?.isRead ?? false) }
  func makeFault() { if batch == nil { known = rows.reader.object(entity: row.entity, key: key) } }
  func read() throws { try row.read() }
}
