internal import CMessageDigest

/// SHA-1 and SHA-2 through libmd; package for the floors above, which hash models and jobs.
package enum MessageDigest {
  /// The SHA-1 of a message, 20 bytes.
  package static func sha1(_ message: [UInt8]) -> [UInt8] {
    var context = SHA1_CTX()
    var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_LENGTH))
    SHA1Init(&context)
    SHA1Update(&context, message, message.count)
    SHA1Final(&digest, &context)
    return digest
  }

  /// The SHA-256 of a message, 32 bytes.
  package static func sha256(_ message: [UInt8]) -> [UInt8] {
    var context = SHA2_CTX()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256Init(&context)
    SHA256Update(&context, message, message.count)
    SHA256Final(&digest, &context)
    return digest
  }

  /// The SHA-512 of a message, 64 bytes.
  package static func sha512(_ message: [UInt8]) -> [UInt8] {
    var context = SHA2_CTX()
    var digest = [UInt8](repeating: 0, count: Int(SHA512_DIGEST_LENGTH))
    SHA512Init(&context)
    SHA512Update(&context, message, message.count)
    SHA512Final(&digest, &context)
    return digest
  }
}
