internal import Glibc

/// The end of a ledger that has only zeros.
///
/// After a loss of power, a line may have its length, but not its content.
enum ZeroTail {
  /// The number of bytes from a place to the end of the file, if they are zeros, perhaps after a part of a line;
  /// otherwise `nil`.
  ///
  /// - Parameter limit: The maximum length of the part of a line.
  static func length(_ descriptor: Int32, from start: Int, afterAtMost limit: Int = LedgerRecord.limit) -> Int?
  {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var (place, hasZero) = (start, false)
    while true {
      let count = pread(descriptor, &buffer, buffer.count, off_t(place))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 && hasZero ? place - start : nil }
      for byte in buffer[..<count] {
        if byte == 0 {
          hasZero = true
        } else if hasZero || byte == 0x0A || place - start >= limit {
          return nil
        }
        place += 1
      }
    }
  }
}
