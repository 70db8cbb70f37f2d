internal import CMessageDigest

/// Digests through libmd.
enum Digests {
  /// 32 bytes.
  static func sha256(_ message: [UInt8]) -> [UInt8] {
    var context = SHA2_CTX()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256Init(&context)
    SHA256Update(&context, message, message.count)
    SHA256Final(&digest, &context)
    return digest
  }

  /// 20 bytes.
  static func sha1(_ message: [UInt8]) -> [UInt8] {
    var context = SHA1_CTX()
    var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_LENGTH))
    SHA1Init(&context)
    SHA1Update(&context, message, message.count)
    SHA1Final(&digest, &context)
    return digest
  }
}
