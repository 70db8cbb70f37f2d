/// Checks new primary keys, so that a store without free keys gives a clear error.
package enum NewKey {
  /// The valid keys: half of the range, which leaves space for other counters of keys.
  private static let room: ClosedRange<Int64> = 1...Int64.max / 2

  /// The reason why there is no new key.
  package struct Exhausted: Error, CustomStringConvertible {
    let next: SQLiteValue?

    package var description: String {
      let words: String
      switch next {
      case .integer(let key)?: words = "\(key)"
      // SQLite continues with doubles beyond the largest whole number.
      case .real?: words = "beyond \(Int64.max)"
      case .null?, .text?, .blob?, nil:
        return "the working file has no next primary key, so it is damaged"
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
