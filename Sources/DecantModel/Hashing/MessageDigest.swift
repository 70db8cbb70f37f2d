internal import CMessageDigest
internal import Foundation

/// SHA-2 through libmd.
public enum MessageDigest {
  /// The SHA-256 of a message, 32 bytes.
  public static func sha256(_ message: [UInt8]) -> [UInt8] {
    var context = SHA2_CTX()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256Init(&context)
    SHA256Update(&context, message, message.count)
    SHA256Final(&digest, &context)
    return digest
  }

  /// The SHA-512 of a message, 64 bytes.
  public static func sha512(_ message: [UInt8]) -> [UInt8] {
    var context = SHA2_CTX()
    var digest = [UInt8](repeating: 0, count: Int(SHA512_DIGEST_LENGTH))
    SHA512Init(&context)
    SHA512Update(&context, message, message.count)
    SHA512Final(&digest, &context)
    return digest
  }
}
