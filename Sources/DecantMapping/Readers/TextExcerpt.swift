internal import DecantModel
internal import Foundation

/// A line of a file with a mark below a place.
struct TextExcerpt {
  /// The line and the mark; empty where the file has no such line.
  let lines: [String]

  /// - Parameters:
  ///   - line: From 1.
  ///   - column: From 1, in Unicode scalars.
  ///   - focus: The text to mark at or after the column. If it is `nil` or isn't found, the column itself is marked.
  init(_ data: Data, line: Int, column: Int, focus: String?) {
    let all = JSON5Value.lines(of: data)
    guard all.indices.contains(line - 1) else {
      lines = []
      return
    }
    let text = all[line - 1].replacing("\t", with: " ")
    let scalars = text.unicodeScalars
    let start =
      scalars.index(scalars.startIndex, offsetBy: column - 1, limitedBy: scalars.endIndex) ?? scalars.endIndex
    let place = focus.flatMap { text[start...].firstRange(of: $0)?.lowerBound } ?? start
    // Long lines are cut around the place.
    let from = text.index(place, offsetBy: -Self.reach, limitedBy: text.startIndex) ?? text.startIndex
    let to = text.index(place, offsetBy: Self.reach, limitedBy: text.endIndex) ?? text.endIndex
    let left = text[from..<place].drop(while: { $0 == " " })
    let lead = from > text.startIndex ? "…" : ""
    lines = [
      "  \(lead)\(left)\(text[place..<to])\(to < text.endIndex ? "…" : "")",
      "  \(String(repeating: " ", count: lead.count + left.count))^",
    ]
  }

  private static let reach = 60
}
