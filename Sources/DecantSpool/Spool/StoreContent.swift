internal import FileNames

/// Finds out from a file's first bytes whether it may be a store.
enum StoreContent {
  /// The number of bytes that are read.
  private static let start = 256

  /// Whether a file begins as an SQLite, binary or XML store does.
  ///
  /// - Throws: `FileFailure` if another try to read the file may succeed.
  static func begins(_ name: FileName, in folder: FolderHandle) throws(FileFailure) -> Bool {
    do throws(FileFailure) {
      guard let bytes = try folder.read(name.text, first: start) else { return false }
      return isStart(bytes)
    } catch {
      if error.isPassing { throw error }
      return false
    }
  }

  private static func isStart(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: Array("SQLite format 3\0".utf8)) || bytes.starts(with: Array("bplist".utf8)) {
      return true
    }
    // XML in UTF-16, with and without a byte order mark.
    let wide: [[UInt8]] = [
      [0xFF, 0xFE, 0x3C, 0], [0xFE, 0xFF, 0, 0x3C], [0x3C, 0, 0x3F, 0], [0, 0x3C, 0, 0x3F],
    ]
    if wide.contains(where: bytes.starts) { return true }
    let text = String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{feff}" }
    return ["<?xml", "<!DOCTYPE", "<!--", "<database"].contains { text.hasPrefix($0) }
  }
}
