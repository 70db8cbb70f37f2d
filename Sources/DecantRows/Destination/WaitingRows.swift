internal import DecantSQLite
internal import DecantStore

/// Rows that wait for the writer, in the order in which they came.
///
/// `@unchecked Sendable`: an object is handed over completely, and only one queue uses it at a time.
final class WaitingRows: @unchecked Sendable {
  /// Rows of one entity that set the same columns.
  package struct Part {
    let shape: EntityShape
    /// The columns that are set in existing rows; `nil` for new rows, which have values for all columns.
    let columns: [Int]?
    /// The index of the rows' first value in `values`.
    let first: Int
    var count: Int

    /// The number of values of a row: its key, and one for each column.
    var width: Int { 1 + (columns?.count ?? max(0, shape.defaults.count - EntityShape.head)) }
  }

  // Adding a row calls no other code, so accesses can't overlap. A check for each row would cost time.
  @exclusivity(unchecked) private(set) var parts: [Part] = []
  let values = PackedRows()
  /// The shape of the last part, if it has new rows.
  @exclusivity(unchecked) private var inserting: ObjectIdentifier?

  var isEmpty: Bool { parts.isEmpty }

  /// Adds a new row.
  ///
  /// - Parameter slots: The set values by column, which are moved out; empty if no value was set.
  func insert(_ shape: EntityShape, key: Int64, _ slots: inout ContiguousArray<SQLiteValue?>) {
    if inserting == ObjectIdentifier(shape) {
      parts[parts.count - 1].count += 1
    } else {
      begin(shape, nil)
      inserting = ObjectIdentifier(shape)
    }
    values.append(key)
    values.append(taking: &slots, defaults: shape.defaults, from: EntityShape.head)
  }

  /// Adds the values that were set in an existing row.
  func update(_ shape: EntityShape, key: Int64, _ slots: ContiguousArray<SQLiteValue?>) {
    let columns = slots.indices.filter { slots[$0] != nil }
    guard !columns.isEmpty else { return }
    inserting = nil
    begin(shape, columns)
    values.append(key)
    for column in columns { values.append(slots[column] ?? .null) }
  }

  private func begin(_ shape: EntityShape, _ columns: [Int]?) {
    let last = parts.count - 1
    if last >= 0, parts[last].shape === shape, parts[last].columns == columns {
      parts[last].count += 1
    } else {
      parts.append(Part(shape: shape, columns: columns, first: values.count, count: 1))
    }
  }

  /// Removes all rows and keeps the memory.
  func removeAll() {
    inserting = nil
    parts.removeAll(keepingCapacity: true)
    values.removeAll()
  }
}
