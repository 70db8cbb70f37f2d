/// Rows of cells in aligned columns.
struct TextTable {
  private var rows: [[String]] = []
  private let rightAligned: Set<Int>
  private let indent: String

  /// - Parameter rightAligned: Columns of numbers, from 0.
  init(rightAligned: Set<Int> = [], indent: Int = 0) {
    self.rightAligned = rightAligned
    self.indent = String(repeating: " ", count: indent)
  }

  mutating func add(_ cells: [String]) { rows.append(cells.map(PlainText.of)) }

  /// The lines, two spaces between columns and none at the end.
  var lines: [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? DisplayWidth.columns(of: $0[column]) : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = indent
      for (column, cell) in row.enumerated() {
        line += (column == 0 ? "" : "  ")
        line += DisplayWidth.pad(cell, to: widths[column], leading: rightAligned.contains(column))
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
