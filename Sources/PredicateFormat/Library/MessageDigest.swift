internal import CMessageDigest

/// SHA-1 and SHA-2 through Nettle.
package enum MessageDigest {
  /// The SHA-1 of a message, 20 bytes.
  package static func sha1(_ message: [UInt8]) -> [UInt8] {
    var context = sha1_ctx()
    var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_SIZE))
    nettle_sha1_init(&context)
    nettle_sha1_update(&context, message.count, message)
    nettle_sha1_digest(&context, digest.count, &digest)
    return digest
  }

  /// The SHA-256 of a message, 32 bytes.
  package static func sha256(_ message: [UInt8]) -> [UInt8] {
    var context = sha256_ctx()
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_init(&context)
    nettle_sha256_update(&context, message.count, message)
    nettle_sha256_digest(&context, digest.count, &digest)
    return digest
  }

  /// The SHA-512 of a message, 64 bytes.
  package static func sha512(_ message: [UInt8]) -> [UInt8] {
    var context = sha512_ctx()
    var digest = [UInt8](repeating: 0, count: Int(SHA512_DIGEST_SIZE))
    nettle_sha512_init(&context)
    nettle_sha512_update(&context, message.count, message)
    nettle_sha512_digest(&context, digest.count, &digest)
    return digest
  }
}
