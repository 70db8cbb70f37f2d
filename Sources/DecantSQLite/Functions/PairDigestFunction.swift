internal import CSQLite

/// `decant_pairs(a, b, swapped, row)`: an aggregate that compares two lists of pairs of whole numbers.
///
/// The order of the pairs doesn't matter for the comparison. `swapped` is 1 if the other list has `(b, a)`. The
/// result is the number of pairs, the sum of their hashes, and 1 if no pair was smaller than the one before. An
/// argument that is neither a whole number nor NULL makes the result NULL.
package enum PairDigestFunction {
  package static let name = "decant_pairs"

  private struct State {
    var count: UInt64
    var sum: UInt64
    var last: (Int64, Int64)
    var isUnordered: Bool
    var isForeign: Bool
  }

  package static func register(in database: SQLiteDatabase) {
    sqlite3_create_function_v2(
      database.handle, name, 4, SQLFunction.flags, nil, nil,
      { context, _, values in PairDigestFunction.step(context, values) },
      { context in PairDigestFunction.finish(context) }, nil)
  }

  private static func state(_ context: OpaquePointer?, isNeeded: Bool) -> UnsafeMutablePointer<State>? {
    // SQLite gives zeroed memory on the first call.
    sqlite3_aggregate_context(context, isNeeded ? Int32(MemoryLayout<State>.size) : 0)?
      .assumingMemoryBound(to: State.self)
  }

  private static func step(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let state = state(context, isNeeded: true) else { return }
    guard let first = number(values?[0]), let second = number(values?[1]) else {
      state.pointee.isForeign = true
      return
    }
    if state.pointee.count > 0, (first, second) < state.pointee.last { state.pointee.isUnordered = true }
    state.pointee.last = (first, second)
    state.pointee.count &+= 1
    let isSwapped = sqlite3_value_int(values?[2]) != 0
    let one = mixed(UInt64(bitPattern: isSwapped ? second : first))
    let other = UInt64(bitPattern: isSwapped ? first : second)
    let pair = mixed(one &+ other &* 0x9e37_79b9_7f4a_7c15)
    state.pointee.sum &+= mixed(pair &+ UInt64(bitPattern: sqlite3_value_int64(values?[3])))
  }

  /// NULL counts as the smallest number.
  private static func number(_ value: OpaquePointer?) -> Int64? {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: sqlite3_value_int64(value)
    case SQLITE_NULL: .min
    default: nil
    }
  }

  /// The mixing function of SplitMix64 (Steele, Lea and Flood, 2014).
  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  private static func finish(_ context: OpaquePointer?) {
    guard let state = state(context, isNeeded: false)?.pointee else {
      return SQLFunction.answer(context, .text("0 0 1"))
    }
    guard !state.isForeign else { return sqlite3_result_null(context) }
    SQLFunction.answer(context, .text("\(state.count) \(state.sum) \(state.isUnordered ? 0 : 1)"))
  }
}
