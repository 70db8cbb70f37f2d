package import FileNames
internal import Foundation

/// A text beside a store, such as a `readme.txt`.
///
/// Such a text accompanies the original and isn't a store.
package enum CompanionText {
  /// The largest text in bytes.
  ///
  /// A larger file isn't a text, and a drop with such a file beside its store is refused.
  static let largest = 65_536

  /// Endings that texts have and stores never have.
  private static let endings: Set = [
    "txt", "text", "md", "markdown", "rtf", "log", "csv", "json", "json5", "yaml", "yml",
  ]

  /// Whether the name is that of a text, such as `readme.txt`.
  package static func isNamedSo(_ name: FileName) -> Bool {
    let parts = name.text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count > 1 else { return parts.first == "readme" }
    return endings.contains(String(last))
  }

  /// Whether a file is a small text: not empty, UTF-8, and without control characters.
  ///
  /// Tabs, line breaks and form feeds are allowed.
  ///
  /// A file that begins as a store does, for example as XML, isn't a text. False if the file can't be read.
  ///
  /// - Throws: `FileFailure` if another try to read the file may succeed.
  static func isOne(_ name: FileName, in folder: FolderHandle) throws(FileFailure) -> Bool {
    let bytes: Data?
    do throws(FileFailure) {
      guard let status = try folder.status(name.text), status.kind == .file, status.size > 0,
        status.size <= largest
      else { return false }
      bytes = try folder.read(name.text, limit: largest)
    } catch {
      if error.isPassing { throw error }
      return false
    }
    guard let bytes, let text = String(bytes: bytes, encoding: .utf8) else { return false }
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7f || ["\n", "\r", "\t", "\u{c}"].contains($0)
    }
    let start = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
    return isPlain && !start.hasPrefix("<") && !start.hasPrefix("bplist") && !start.hasPrefix("SQLite format 3")
  }
}
