internal import Foundation
internal import Glibc
internal import PredicateFormat

/// A digest of what decides a result besides the source: the catalogue's files and the options.
///
/// The digest covers the files' names and contents, not their times, so that each machine computes the same digest.
enum SettingsDigest {
  /// The maximum depth; deeper folders aren't read.
  private static let depth = 16

  /// The digest, as 32 hexadecimal digits.
  static func text(catalogue: String, options: [String]) throws(ShardError) -> String {
    var digest = SHA256Digest()
    func add(_ text: String) { Array(text.utf8).withUnsafeBytes { digest.add($0) } }
    func visit(_ folder: [UInt8], _ label: String, _ level: Int) throws(ShardError) {
      guard let entries = ByteFile.entries(of: folder) else {
        throw .file(path: ByteFile.printed(folder), action: "read", code: errno)
      }
      // Kubernetes mounts a volume's files through a link “..data” to a folder whose name changes. So names that
      // begin with two dots are skipped.
      for entry in entries where !entry.name.starts(with: [0x2E, 0x2E]) {
        let path = ByteFile.path(folder, entry.name)
        let name = label + "/" + ByteFile.printed(entry.name)
        var status = stat()
        let isThere = (path + [0]).withUnsafeBytes { bytes in
          bytes.bindMemory(to: CChar.self).baseAddress.map { stat($0, &status) == 0 } ?? false
        }
        guard isThere else { continue }
        if status.st_mode & S_IFMT == S_IFDIR, level < depth {
          try visit(path, name, level + 1)
        } else if status.st_mode & S_IFMT == S_IFREG {
          add("\(name)\0\(try content(path))\n")
        }
      }
    }
    for option in options { add("\(option)\0") }
    var status = stat()
    if stat(catalogue, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      add(try content(Array(catalogue.utf8)))
    } else {
      try visit(Array(catalogue.utf8), "", 0)
    }
    return String(digest.finish().prefix(32))
  }

  private static func content(_ path: [UInt8]) throws(ShardError) -> String {
    let real = (path + [0]).withUnsafeBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.flatMap { realpath($0, nil) }
    }
    guard let real else { throw .file(path: ByteFile.printed(path), action: "read", code: errno) }
    defer { free(real) }
    let target = Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    do throws(FileTrouble) {
      return try FilePass.read(target) { true }.sha256
    } catch {
      throw .file(path: ByteFile.printed(error.path), action: error.action, code: error.code)
    }
  }
}
