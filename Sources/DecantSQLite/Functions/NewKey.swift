/// Checks new primary keys, so that a store without free keys gives a clear error.
package enum NewKey {
  /// The valid keys: half of the range, which leaves space for other counters of keys.
  private static let room: ClosedRange<Int64> = 1...Int64.max / 2

  /// Why no key is free.
  package struct Exhausted: Error, CustomStringConvertible {
    let next: SQLiteValue?

    package var description: String {
      let words =
        switch next {
        case .integer(let key)?: "\(key)"
        // SQLite continues with doubles beyond the largest whole number.
        case .real?: "beyond \(Int64.max)"
        default: "unknown"
        }
      return
        "there are no primary keys left: the next one would be \(words); the source's keys or its Z_PRIMARYKEY are damaged"
    }
  }

  package static func checked(_ next: SQLiteValue?) throws(Exhausted) -> Int64 {
    guard case .integer(let key)? = next, room.contains(key) else { throw Exhausted(next: next) }
    return key
  }
}
