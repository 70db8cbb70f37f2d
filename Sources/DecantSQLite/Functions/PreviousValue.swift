internal import CSQLite
internal import Glibc

/// A copy of one value of an index entry, which is compared with the value of the next entry.
///
/// The memory for texts and blobs is used again for each entry. A copy that SQLite makes would take a lock for each
/// value.
struct PreviousValue {
  private var type = SQLITE_NULL
  private var integer: Int64 = 0
  private var real = 0.0
  private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// How many of `bytes` belong to the value.
  private var size = 0

  /// The size in bytes above which no memory is allocated for longer values.
  private static let mostSpare = 1 << 20

  mutating func keep(_ value: OpaquePointer?) {
    type = sqlite3_value_type(value)
    switch type {
    case SQLITE_NULL: break
    case SQLITE_INTEGER: (integer, real) = (sqlite3_value_int64(value), sqlite3_value_double(value))
    case SQLITE_FLOAT: real = sqlite3_value_double(value)
    default:
      let found = Self.bytes(of: value)
      size = found.count
      if size > bytes.count {
        bytes.deallocate()
        bytes = .allocate(byteCount: size > Self.mostSpare ? size : 2 * size, alignment: 1)
      }
      bytes.copyMemory(from: found)
    }
  }

  func deallocate() { bytes.deallocate() }

  /// Below 0 if this value comes before the other one, above 0 if it comes after it (binary collation).
  func difference(from other: OpaquePointer?) -> Int {
    let otherType = sqlite3_value_type(other)
    let (rank, otherRank) = (Self.rank(type), Self.rank(otherType))
    guard rank == otherRank else { return rank - otherRank }
    switch rank {
    case 0: return 0
    case 1:
      if type == SQLITE_INTEGER, otherType == SQLITE_INTEGER {
        let another = sqlite3_value_int64(other)
        return integer < another ? -1 : integer > another ? 1 : 0
      }
      let another = sqlite3_value_double(other)
      return real < another ? -1 : real > another ? 1 : 0
    default:
      let others = Self.bytes(of: other)
      let common = min(size, others.count)
      if common > 0, let one = bytes.baseAddress, let another = others.baseAddress {
        let sign = memcmp(one, another, common)
        if sign != 0 { return Int(sign) }
      }
      return size - others.count
    }
  }

  /// The bytes of a text or blob; SQLite has no address for an empty one.
  private static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
    guard let start = sqlite3_value_blob(value) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
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
}
