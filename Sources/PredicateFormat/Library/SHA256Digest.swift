internal import CMessageDigest

/// The SHA-256 of bytes that are added in several calls.
package struct SHA256Digest {
  private var context = sha256_ctx()

  package init() { nettle_sha256_init(&context) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    nettle_sha256_update(&context, bytes.count, start)
  }

  /// The digest of all added bytes, as 64 hexadecimal digits; no more bytes may be added afterwards.
  package mutating func finish() -> String {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&context, digest.count, &digest)
    return digest.reduce(into: "") { text, byte in
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
