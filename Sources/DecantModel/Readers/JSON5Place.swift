public import Foundation

/// One step of the path to a nested value.
public enum JSON5Step: Sendable, Hashable {
  case key(String)
  /// The index in a list, from 0.
  case index(Int)
}

extension JSON5Value {
  /// The place of a value in a text, for messages; the text is read again to find the place.
  ///
  /// - Returns: Line and column of the value, from 1. Columns count Unicode scalars. `nil` if the value isn't found, if
  ///   the text isn't UTF-8, or if it is larger than `sizeLimit`.
  public static func place(of path: [JSON5Step], in data: Data) -> (line: Int, column: Int)? {
    guard data.count <= sizeLimit, let text = String(validating: data, as: UTF8.self) else { return nil }
    var reader = JSON5Reader(text)
    reader.sought = path
    _ = try? reader.document()
    return reader.found.map { reader.lineAndColumn(of: $0) }
  }

  /// The lines of a text, as `place(of:in:)` counts them: only a line feed ends a line.
  ///
  /// A carriage return before the line feed is left out.
  public static func lines(of data: Data) -> [String] {
    String(decoding: data, as: UTF8.self).unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { String($0.last == "\r" ? $0.dropLast() : $0) }
  }
}
