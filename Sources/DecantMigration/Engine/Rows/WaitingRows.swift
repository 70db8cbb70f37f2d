internal import DecantSQLite
internal import DecantStore

/// Rows that wait for the writer, in the order in which they came.
///
/// `@unchecked Sendable`: it is handed over whole, and nobody else has it then.
final class WaitingRows: @unchecked Sendable {
  /// Rows of one entity that set the same columns.
  struct Part {
    let shape: EntityShape
    /// What is set in rows that are there already; `nil` for new ones, which have values for all.
    let columns: [Int]?
    /// Where their values begin.
    let first: Int
    var count: Int

    /// The values of a row: its key, and one for each column.
    var width: Int { 1 + (columns?.count ?? max(0, shape.defaults.count - EntityShape.head)) }
  }

  // Whoever adds a row calls nobody meanwhile, so that no access can overlap another; a check would be made for each.
  @exclusivity(unchecked) private(set) var parts: [Part] = []
  let values = PackedRows()
  /// The shape of the last part, where that has new rows.
  @exclusivity(unchecked) private var inserting: ObjectIdentifier?

  var isEmpty: Bool { parts.isEmpty }

  /// Adds a new row.
  ///
  /// - Parameter slots: What was set, by column, which is taken out; empty where nothing was.
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

  /// Adds what was set in a row that is there.
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

  /// Forgets all rows; the memory stays.
  func removeAll() {
    inserting = nil
    parts.removeAll(keepingCapacity: true)
    values.removeAll()
  }
}
