internal import CSQLite

/// `decant_entries(order, row, value…)`: an aggregate whose results for the entries of an index and for the rows of its
/// table are compared.
///
/// The order of the entries doesn't matter for their number and sum. `order` has a letter for each value, `a` for
/// ascending and `d` for descending; it is empty for rows in any order. The result is a text with three numbers: the
/// number of entries, the sum of their hashes, and 1 if the entries are in order, otherwise 0 (SQLite's file format,
/// 2.5).
package enum EntryDigestFunction {
  package static let name = "decant_entries"

  private struct State {
    var count: UInt64
    var sum: UInt64
    var isUnordered: Bool
    /// Copies of the values of the previous entry, and its row.
    var last: UnsafeMutablePointer<OpaquePointer?>?
    var lastCount: Int
    var lastRow: Int64
  }

  package static func register(in database: SQLiteDatabase) throws(SQLiteError) {
    try SQLFunction.registerAggregate(
      name, arguments: -1, in: database,
      step: { context, count, values in EntryDigestFunction.step(context, Int(count), values) },
      finish: { context in EntryDigestFunction.finish(context) })
  }

  private static func state(_ context: OpaquePointer?, isNeeded: Bool) -> UnsafeMutablePointer<State>? {
    // SQLite gives zeroed memory on the first call.
    sqlite3_aggregate_context(context, isNeeded ? Int32(MemoryLayout<State>.size) : 0)?
      .assumingMemoryBound(to: State.self)
  }

  private static func step(
    _ context: OpaquePointer?, _ count: Int, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let state = state(context, isNeeded: true), let values, count >= 2 else { return }
    let row = sqlite3_value_int64(values[1])
    var hash = mixed(UInt64(bitPattern: row))
    for place in 2..<max(2, count) { hash = mixed(hash &+ digest(values[place])) }
    state.pointee.count &+= 1
    state.pointee.sum &+= hash
    guard sqlite3_value_bytes(values[0]) == count - 2, let order = sqlite3_value_text(values[0]) else { return }
    compare(state, order, row, values + 2, count - 2)
  }

  private static func compare(
    _ state: UnsafeMutablePointer<State>, _ order: UnsafePointer<UInt8>, _ row: Int64,
    _ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int
  ) {
    if let last = state.pointee.last {
      var sign = 0
      for place in 0..<count where sign == 0 {
        sign = difference(last[place], values[place]) * (order[place] == UInt8(ascii: "d") ? -1 : 1)
      }
      if sign > 0 || sign == 0 && state.pointee.lastRow >= row { state.pointee.isUnordered = true }
      for place in 0..<count { sqlite3_value_free(last[place]) }
    } else {
      state.pointee.last = .allocate(capacity: count)
      state.pointee.lastCount = count
    }
    for place in 0..<count { state.pointee.last?[place] = sqlite3_value_dup(values[place]) }
    state.pointee.lastRow = row
  }

  /// Below 0 if the first value comes first, above 0 if the second value comes first (binary collation).
  private static func difference(_ one: OpaquePointer?, _ other: OpaquePointer?) -> Int {
    let (type, otherType) = (sqlite3_value_type(one), sqlite3_value_type(other))
    guard rank(type) == rank(otherType) else { return rank(type) - rank(otherType) }
    switch rank(type) {
    case 0: return 0
    case 1:
      if type == SQLITE_INTEGER, otherType == SQLITE_INTEGER {
        let (a, b) = (sqlite3_value_int64(one), sqlite3_value_int64(other))
        return a < b ? -1 : a > b ? 1 : 0
      }
      let (a, b) = (sqlite3_value_double(one), sqlite3_value_double(other))
      return a < b ? -1 : a > b ? 1 : 0
    default:
      let (size, otherSize) = (Int(sqlite3_value_bytes(one)), Int(sqlite3_value_bytes(other)))
      guard let bytes = sqlite3_value_blob(one), let others = sqlite3_value_blob(other) else {
        return size - otherSize
      }
      let sign = UnsafeRawBufferPointer(start: bytes, count: size).lexicographicOrder(
        UnsafeRawBufferPointer(start: others, count: otherSize))
      return sign
    }
  }

  /// NULL comes before numbers, numbers before text, text before blobs.
  private static func rank(_ type: Int32) -> Int {
    switch type {
    case SQLITE_NULL: 0
    case SQLITE_INTEGER, SQLITE_FLOAT: 1
    case SQLITE_TEXT: 2
    default: 3
    }
  }

  private static func digest(_ value: OpaquePointer?) -> UInt64 {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return 1
    case SQLITE_INTEGER: return mixed(UInt64(bitPattern: sqlite3_value_int64(value)) &+ 2)
    case SQLITE_FLOAT:
      // An index may keep a number as an integer that the row keeps as a real.
      let real = sqlite3_value_double(value)
      if let whole = Int64(exactly: real) { return mixed(UInt64(bitPattern: whole) &+ 2) }
      return mixed(real.bitPattern &+ 3)
    default:
      let type = UInt64(sqlite3_value_type(value))
      guard let bytes = sqlite3_value_blob(value) else { return type }
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325 &+ type
      for byte in UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
      return mixed(hash)
    }
  }

  /// The mixing function of SplitMix64 (Steele, Lea and Flood, 2014).
  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  private static func finish(_ context: OpaquePointer?) {
    guard let state = state(context, isNeeded: false) else {
      return SQLFunction.answer(context, .text("0 0 1"))
    }
    let found = state.pointee
    if let last = found.last {
      for place in 0..<found.lastCount { sqlite3_value_free(last[place]) }
      last.deallocate()
    }
    SQLFunction.answer(context, .text("\(found.count) \(found.sum) \(found.isUnordered ? 0 : 1)"))
  }
}

extension UnsafeRawBufferPointer {
  /// Below 0 if these bytes come before the others, above 0 if they come after them.
  fileprivate func lexicographicOrder(_ other: UnsafeRawBufferPointer) -> Int {
    for (one, another) in zip(self, other) where one != another { return one < another ? -1 : 1 }
    return count - other.count
  }
}
