package import FileNames
internal import Foundation

/// A text beside a store, such as a `readme.txt`.
///
/// Such a text accompanies the original and isn't a store.
package enum CompanionText {
  /// The largest text in bytes.
  ///
  /// A larger file isn't a text, and a dropped folder with such a file beside its store is refused.
  static let largest = 65_536

  /// Endings of the names of texts.
  private static let endings: Set = [
    "txt", "text", "md", "markdown", "rtf", "log", "csv", "json", "json5", "yaml", "yml",
  ]

  package static func isNamedSo(_ name: FileName) -> Bool {
    let parts = name.text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, parts.count > 1 else { return parts.first == "readme" }
    return endings.contains(String(last))
  }

  /// Whether a file is a small text in UTF-8.
  ///
  /// A file that begins as XML, a binary property list or SQLite isn't a text, because a store may begin so.
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
