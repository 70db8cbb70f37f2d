public import Foundation

/// The 32 bytes by which Core Data recognises one version of an entity.
public struct VersionHash: Sendable, Hashable, CustomStringConvertible {
  /// SHA-256, 32 bytes.
  public let bytes: [UInt8]

  /// Takes bytes from a store or an archive; `nil` unless there are 32.
  public init?(_ data: Data) {
    guard data.count == 32 else { return nil }
    bytes = [UInt8](data)
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
