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
    /// The values of the previous entry, and its row.
    var last: UnsafeMutablePointer<PreviousValue>?
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
    let last: UnsafeMutablePointer<PreviousValue>
    if let known = state.pointee.last {
      last = known
      var sign = 0
      for place in 0..<count where sign == 0 {
        sign = last[place].difference(from: values[place]) * (order[place] == UInt8(ascii: "d") ? -1 : 1)
      }
      if sign > 0 || sign == 0 && state.pointee.lastRow >= row { state.pointee.isUnordered = true }
    } else {
      last = .allocate(capacity: count)
      last.initialize(repeating: PreviousValue(), count: count)
      (state.pointee.last, state.pointee.lastCount) = (last, count)
    }
    for place in 0..<count { last[place].keep(values[place]) }
    state.pointee.lastRow = row
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
      for place in 0..<found.lastCount { last[place].deallocate() }
      last.deallocate()
    }
    SQLFunction.answer(context, .text("\(found.count) \(found.sum) \(found.isUnordered ? 0 : 1)"))
  }
}
