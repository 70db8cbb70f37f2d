/// Rows of cells in aligned columns.
package struct TextTable {
  /// The least width for wrapped text.
  private static let narrowest = 24
  private var rows: [[String]] = []
  private let rightAligned: Set<Int>
  private let indent: String

  /// - Parameter rightAligned: The columns of numbers, counted from 0.
  package init(rightAligned: Set<Int> = [], indent: Int = 0) {
    self.rightAligned = rightAligned
    self.indent = String(repeating: " ", count: indent)
  }

  package mutating func add(_ cells: [String]) { rows.append(cells.map(PlainText.of)) }

  /// The lines, with two spaces between columns and none at the end.
  package var lines: [String] { lines(width: .max) }

  /// The lines; a line wider than `width` columns is cut and ends with “…”.
  package func lines(cutAt width: Int) -> [String] { lines.map { TextWrap.shortened($0, to: width) } }

  /// The rows; if a row is wider than `width`, its last cell is wrapped, and the returned string has several lines.
  ///
  /// The cell isn't wrapped if it is the row's only cell, if it is right-aligned, or if less than `narrowest` is left
  /// for it.
  package func lines(width: Int) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? DisplayWidth.columns(of: $0[column]) : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = indent
      var before = line
      for (column, cell) in row.enumerated() {
        line += (column == 0 ? "" : "  ")
        before = line
        line += DisplayWidth.pad(cell, to: widths[column], leading: rightAligned.contains(column))
      }
      while line.last == " " { line.removeLast() }
      guard DisplayWidth.columns(of: line) > width, let last = row.indices.last, last > 0,
        !rightAligned.contains(last)
      else { return line }
      let start = widths[..<last].reduce(indent.count + 2 * last, +)
      guard start + Self.narrowest <= width else { return line }
      return before + TextWrap.wrap(row[last], width: width, indent: start, first: start)
    }
  }
}
