/// Checks the rows of one page of a table, and counts them by entity number.
struct RowNotes {
  private let columns: Int
  private let types: [ValueTypes]
  /// The place of the column `Z_ENT`; -1 if it isn't looked at.
  private let entityColumn: Int
  private let floor: Int64
  private var first = Int64.max
  private(set) var last: Int64
  private var rows = 0
  private var hasLongerRows = false
  // Nearly all rows of a page have the same entity number, so these rows are only counted.
  private var number: Int64 = 0
  private var rowsOfNumber = 0
  private var others: [Int64] = []

  /// - Parameter lower: The page's keys must be larger than this number; `Int64.min` if there is no bound.
  init(_ tree: PageTree, above lower: Int64) {
    columns = tree.columns
    types = tree.types
    entityColumn = tree.entityColumn ?? -1
    floor = lower
    last = lower
  }

  /// Notes the key of the next row.
  ///
  /// - Returns: Whether the key is larger than the key before, or than `lower` for the first row. The result is false
  ///   for the key `Int64.min`, because that number means “no key before”.
  @inline(__always) mutating func take(key: Int64) -> Bool {
    if rows == 0 {
      guard key > floor else { return false }
      first = key
    } else if key <= last {
      return false
    }
    last = key
    rows += 1
    return true
  }

  /// Checks the values of a row, and counts the row for its entity number.
  ///
  /// The values must fill the row exactly, and have types that SQLite expects in their columns (SQLite's file format,
  /// 2.1).
  ///
  /// - Parameters:
  ///   - start: The place of the row's first byte in the page.
  ///   - local: The number of the row's bytes in the page.
  ///   - size: The number of all bytes of the row.
  @inline(__always)
  mutating func take(_ bytes: PageBytes, _ start: Int, local: Int, size: Int) -> Bool {
    var place = start
    let length = bytes.varint(&place)
    guard length > 0, length <= UInt64(local) else { return false }
    let end = start + Int(length)
    var body = Int(length)
    var field = 0
    while place < end {
      let type = bytes.varint(&place)
      guard type <= 0xffff_ffff, type != 10, type != 11 else { return false }
      let width = Self.width(type)
      if field < types.count, type > 0 {
        switch types[field] {
        case .any: break
        case .noNumbers: guard type >= 12 else { return false }
        case .noTexts: guard type < 12 || type & 1 == 0 else { return false }
        }
      }
      if field == entityColumn {
        guard body + (type < 12 ? width : 0) <= local else { return false }
        note(bytes, start + body, type, width)
      }
      body += width
      field += 1
    }
    if field > columns { hasLongerRows = true }
    // If a row ends before `Z_ENT`, SQLite would use the default value of the column.
    return place == end && body == size && field > entityColumn
  }

  @inline(__always) private static func width(_ type: UInt64) -> Int {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    default: Int(type - 12) / 2
    }
  }

  @inline(__always)
  private mutating func note(_ bytes: PageBytes, _ place: Int, _ type: UInt64, _ width: Int) {
    let value: Int64
    switch type {
    case 8: value = 0
    case 9: value = 1
    case 1...6: value = bytes.signed(place, bytes: width)
    default: return
    }
    if rowsOfNumber == 0 { number = value }
    if value == number { rowsOfNumber += 1 } else { others.append(value) }
  }

  func give(to tally: inout TableTally) {
    tally.add(rows: rows, from: first, to: last)
    if hasLongerRows { tally.hasLongerRows = true }
    if rowsOfNumber > 0 { tally.add(number: number, rows: rowsOfNumber) }
    for number in others { tally.add(number: number, rows: 1) }
  }
}
