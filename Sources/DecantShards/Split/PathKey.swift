package import FileNames
internal import PredicateFormat

/// The key of a path: the first 128 bits of the SHA-256 of its bytes.
///
/// The key is the same on each machine. The key decides the path's shard and the folder of its result.
package struct PathKey: Sendable, Hashable {
  /// The digest's first eight bytes, the first byte highest.
  let high: UInt64
  /// The next eight bytes.
  let low: UInt64

  package init(of path: FileName) { self.init(digesting: path.bytes) }

  init(digesting bytes: [UInt8]) {
    let digest = MessageDigest.sha256(bytes)
    high = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// 32 hexadecimal digits.
  package var hex: String { Self.hex(high) + Self.hex(low) }

  /// The folder of the result within the output: `ab/cd/` and the 32 digits, which begin with `abcd`.
  package var folder: String { Self.folder(ofDigits: hex) }

  static func folder(ofDigits hex: some StringProtocol) -> String {
    "\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))/\(hex)"
  }

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension PathKey: Comparable {
  package static func < (left: PathKey, right: PathKey) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
