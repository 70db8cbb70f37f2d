extension PrintedName {
  /// The name that a printed form stands for; `nil` if a backslash doesn't begin an escape.
  package static func name(of printed: String) -> FileName? {
    var bytes: [UInt8] = []
    var rest = Array(printed.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x5C else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case 0x5C: bytes.append(0x5C)
      case 0x78:
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      default: return nil
      }
    }
    return FileName(bytes: bytes)
  }

  /// The value of a digit, in the small letters that `escape` writes.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
