internal import Glibc
internal import PredicateFormat

/// The size and SHA-256 of a regular file, from reading it once.
///
/// The file can be copied at the same time.
struct FilePass {
  var bytes: Int
  /// 64 hexadecimal digits.
  var sha256: String

  private static let piece = 1 << 20

  static func read(_ path: [UInt8], goesOn: () -> Bool) throws(FileTrouble) -> FilePass {
    try pass(path, to: nil, goesOn)
  }

  /// Copies a file to a path that doesn't exist yet; links are not followed.
  ///
  /// - Parameter goesOn: Asked before each read of at most a megabyte; false ends the copying with `EINTR`.
  static func copy(
    _ source: [UInt8], to destination: [UInt8], goesOn: () -> Bool
  ) throws(FileTrouble) -> FilePass {
    let output = ByteFile.open(destination, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    guard output >= 0 else { throw FileTrouble(destination, "created") }
    defer { close(output) }
    return try pass(source, to: (output, destination), goesOn)
  }

  private static func pass(
    _ source: [UInt8], to target: (descriptor: Int32, path: [UInt8])?, _ goesOn: () -> Bool
  ) throws(FileTrouble) -> FilePass {
    let input = ByteFile.open(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard input >= 0 else { throw FileTrouble(source, "read") }
    defer { close(input) }
    var status = stat()
    guard fstat(input, &status) == 0 else { throw FileTrouble(source, "read") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileTrouble(source, "read", EINVAL) }
    // The owner has to be able to read and write the copy.
    if let target { _ = fchmod(target.descriptor, status.st_mode & 0o666 | 0o600) }
    var digest = SHA256Digest()
    var pass = FilePass(bytes: 0, sha256: "")
    var buffer = [UInt8](repeating: 0, count: min(piece, max(4096, Int(status.st_size) + 1)))
    while true {
      guard goesOn() else { throw FileTrouble(source, "read", EINTR) }
      let count = buffer.withUnsafeMutableBytes { Glibc.read(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileTrouble(source, "read") }
      guard count > 0 else { break }
      let code = buffer.withUnsafeBytes { bytes in
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        digest.add(part)
        return target.map { write(part, to: $0.descriptor) } ?? 0
      }
      if code != 0, let target { throw FileTrouble(target.path, "written", code) }
      pass.bytes += count
    }
    pass.sha256 = digest.finish()
    return pass
  }

  /// Writes all bytes; returns 0 or the errno.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var offset = 0
    while offset < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      offset += count
    }
    return 0
  }
}
