public import Foundation
internal import PredicateFormat

/// The 32 bytes by which Core Data recognises one version of an entity (docs/formats/version-hash.md 2).
public struct VersionHash: Sendable, Hashable, CustomStringConvertible {
  /// SHA-256, 32 bytes.
  public let bytes: [UInt8]

  /// Takes bytes from a store or an archive; `nil` unless there are 32.
  public init?(_ data: Data) {
    guard data.count == 32 else { return nil }
    bytes = [UInt8](data)
  }

  /// Takes the text of `hexadecimal`, in upper or lower case; `nil` for any other text.
  public init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  init(of message: [UInt8]) {
    bytes = MessageDigest.sha256(message)
  }

  /// Lower-case hexadecimal, 64 characters.
  public var hexadecimal: String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 0x0f, radix: 16) }.joined()
  }

  /// The bytes as a property list holds them.
  public var data: Data { Data(bytes) }

  public var description: String { hexadecimal }
}

/// The hashes of a model's entities by entity name; equal dictionaries mean the same version.
public typealias EntityVersionHashes = [String: VersionHash]
