internal import CMessageDigest

/// The SHA-256 of bytes that come piece by piece.
package struct SHA256Digest {
  private var context = SHA2_CTX()

  package init() { SHA256Init(&context) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    SHA256Update(&context, bytes.baseAddress, bytes.count)
  }

  /// The digest of all bytes so far, as 64 hexadecimal digits; nothing can be added after it.
  package mutating func finish() -> String {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256Final(&digest, &context)
    return digest.reduce(into: "") { text, byte in
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
