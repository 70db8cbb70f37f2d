internal import Glibc

/// Compares texts by their UTF-8 bytes; Swift's own `==` treats both normal forms as equal.
package enum Bytes {
  package static func areEqual(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let atOnce = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in
        guard let start = left.baseAddress, let other = right.baseAddress else { return left.isEmpty }
        return memcmp(start, other, left.count) == 0
      }
    }
    return (atOnce ?? nil) ?? left.utf8.elementsEqual(right.utf8)
  }

  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  package static func hash(_ text: String, into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8(0xff))
  }
}
