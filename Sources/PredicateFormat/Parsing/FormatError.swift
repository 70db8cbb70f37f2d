/// Why a text isn't a predicate or an expression: the place, and what was expected and found there.
public struct FormatError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column in characters, from 1.
  public let column: Int
  /// The problem, as a part of a sentence: “expected an operator, found “)””.
  public let reason: String
  /// The line with a caret below the place; shortened if the line is long.
  public let excerpt: String

  public var description: String { "line \(line), column \(column): \(reason)\n\(excerpt)" }

  /// The error on one line.
  public var sentence: String { (line > 1 ? "line \(line), " : "") + "column \(column): \(reason)" }

  init(_ reason: String, at offset: Int, of text: [UInt8]) {
    let offset = min(max(offset, 0), text.count)
    let before = text[..<offset]
    let newline = UInt8(ascii: "\n")
    line = 1 + before.count { $0 == newline }
    let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = text[offset...].firstIndex(of: newline) ?? text.count
    let left = String(decoding: text[start..<offset], as: UTF8.self)
    let right = String(decoding: text[offset..<end], as: UTF8.self)
    column = left.count + 1
    self.reason = reason
    let shownLeft = left.count > 60 ? "…" + left.suffix(60) : left
    let shownRight = right.count > 40 ? right.prefix(40) + "…" : right
    let margin = String(shownLeft.map { $0 == "\t" ? "\t" : " " })
    excerpt = "  \(shownLeft)\(shownRight)\n  \(margin)^"
  }
}
