import Foundation

/// A database whose schema table is a tree: every page of a level points many times to the same page of the next level.
///
/// It has few pages, but more rows than can ever be read.
enum EndlessSchema {
  private static let pageSize = 512
  private static let levels = 17

  static func write(to path: String) throws {
    // Page 1 is the root, pages 2… are the levels below, and the last two pages are the leaves.
    let first = levels + 2
    let again = levels + 3
    let table = levels + 4
    var pages = [interior(children: [first, 2], header: header(pages: table + 1))]
    for level in 2...(levels + 1) {
      let child = level == levels + 1 ? again : level + 1
      pages.append(interior(children: [Int](repeating: child, count: 40), header: []))
    }
    let create = "CREATE TABLE t(x UNIQUE)"
    pages.append(leaf(rows: [row("table", "t", "t", table, create)]))
    pages.append(leaf(rows: [row("index", "sqlite_autoindex_t_1", "t", table + 1, nil)]))
    pages.append(page([0x0D, 0, 0, 0, 0, 2, 0, 0]))
    pages.append(page([0x0A, 0, 0, 0, 0, 2, 0, 0]))
    try Data(pages.flatMap { $0 }).write(to: URL(fileURLWithPath: path))
  }

  private static func header(pages: Int) -> [UInt8] {
    var header = Array("SQLite format 3\u{0}".utf8) + number(pageSize, 2) + [1, 1, 0, 64, 32, 32]
    header += number(1, 4) + number(pages, 4) + number(0, 4) + number(0, 4) + number(1, 4) + number(4, 4)
    header += number(0, 4) + number(0, 4) + number(1, 4) + [UInt8](repeating: 0, count: 32)
    header += number(1, 4) + number(3_040_001, 4)
    return header
  }

  private static func interior(children: [Int], header: [UInt8]) -> [UInt8] {
    let cells = children.dropLast()
    let size = 5
    var bytes = header + [0x05, 0, 0] + number(cells.count, 2) + number(pageSize - cells.count * size, 2) + [0]
    bytes += number(children.last ?? 0, 4)
    for index in cells.indices { bytes += number(pageSize - (index + 1) * size, 2) }
    bytes += [UInt8](repeating: 0, count: pageSize - bytes.count - cells.count * size)
    for (index, child) in cells.enumerated().reversed() { bytes += number(child, 4) + [UInt8(index + 1)] }
    return bytes
  }

  private static func leaf(rows: [[UInt8]]) -> [UInt8] {
    let cells = rows.enumerated().map { [UInt8($1.count), UInt8($0 + 1)] + $1 }
    var bytes: [UInt8] = [0x0D, 0, 0] + number(cells.count, 2)
    let start = pageSize - cells.reduce(0) { $0 + $1.count }
    bytes += number(start, 2) + [0]
    var place = start
    for cell in cells {
      bytes += number(place, 2)
      place += cell.count
    }
    bytes += [UInt8](repeating: 0, count: start - bytes.count)
    return bytes + cells.flatMap { $0 }
  }

  private static func page(_ start: [UInt8]) -> [UInt8] {
    start + [UInt8](repeating: 0, count: pageSize - start.count)
  }

  /// A record of the schema table.
  private static func row(_ type: String, _ name: String, _ table: String, _ root: Int, _ sql: String?)
    -> [UInt8]
  {
    let texts = [type, name, table].map { Array($0.utf8) }
    let sql = sql.map { Array($0.utf8) }
    let types = texts.map { UInt8(13 + 2 * $0.count) } + [1, sql.map { UInt8(13 + 2 * $0.count) } ?? 0]
    return [UInt8(types.count + 1)] + types + texts.flatMap { $0 } + [UInt8(root)] + (sql ?? [])
  }

  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
