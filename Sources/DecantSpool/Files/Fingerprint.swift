package import FileNames

/// A running digest (FNV-1a, 64 bits) that shows whether a set of files has changed.
package struct Fingerprint: Sendable, Hashable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func add(_ text: String) { add(bytes: text.utf8) }

  package mutating func add(_ name: FileName) { add(bytes: name.bytes) }

  private mutating func add(bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte: byte) }
    add(byte: 0)
  }

  package mutating func add(_ number: Int64) {
    var rest = UInt64(bitPattern: number)
    for _ in 0..<8 {
      add(byte: UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  private mutating func add(byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// The digest in 16 hexadecimal digits.
  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
