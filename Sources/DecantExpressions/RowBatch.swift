internal import DecantSQLite
internal import Foundation
package import PredicateFormat

/// Rows that were read together: their values side by side in one piece of memory, made into Swift's only when they are
/// asked for.
///
/// The memory is no array's: reading a value then counts no references. `@unchecked Sendable`: filled by whoever makes
/// it, and only read from then on.
package final class RowBatch: @unchecked Sendable {
  enum Kind: UInt8 { case null, integer, real, text, blob }

  struct Cell {
    let kind: Kind
    /// Of texts and blobs: how many bytes.
    let count: Int
    /// The number, or where the bytes begin.
    let bits: Int64

    var real: Double { Double(bitPattern: UInt64(bitPattern: bits)) }
  }

  /// How the rows are read.
  private let entity: EntityRows
  private let width: Int
  private let rows: Int
  private let cells: UnsafeMutablePointer<Cell>
  // Each access is over at once, so that none can overlap another; a check would be made for each value.
  @exclusivity(unchecked) private var bytes: UnsafeMutableRawBufferPointer
  /// How many bytes the texts and blobs have.
  @exclusivity(unchecked) private(set) var size = 0
  /// How many rows there are.
  @exclusivity(unchecked) package private(set) var count = 0
  /// Whether there are no more rows after these.
  package internal(set) var isLast = false

  /// - Parameters:
  ///   - entity: Whose columns come first in each row; one more tells what was asked of it.
  ///   - rows: How many rows come at most.
  ///   - bytes: How many bytes their texts and blobs are likely to have.
  init(_ entity: EntityRows, rows: Int, bytes: Int) {
    self.entity = entity
    width = Self.width(entity)
    self.rows = rows
    cells = .allocate(capacity: width * rows)
    self.bytes = .allocate(byteCount: max(bytes, 4096), alignment: 1)
  }

  /// The values of a row: one for each column, and the flag.
  private static func width(_ entity: EntityRows) -> Int { entity.columns.count + 1 }

  /// What a row takes of memory, without its texts and blobs.
  static func bytes(ofRow entity: EntityRows) -> Int { width(entity) * MemoryLayout<Cell>.stride }

  deinit {
    cells.deallocate()
    bytes.deallocate()
  }

  /// Adds the row at which a statement is.
  func append(_ row: SQLiteStatement) {
    precondition(count < rows, "more rows than were asked for")
    let place = count * width
    for column in 0..<width { (cells + place + column).initialize(to: cell(row, column)) }
    count += 1
  }

  private func cell(_ row: SQLiteStatement, _ column: Int) -> Cell {
    var made = Cell(kind: .null, count: 0, bits: 0)
    row.withCell(column) { cell in
      switch cell {
      case .null: break
      case .integer(let number): made = Cell(kind: .integer, count: 0, bits: number)
      case .real(let number):
        made = Cell(kind: .real, count: 0, bits: Int64(bitPattern: number.bitPattern))
      case .text(let text): made = keep(UnsafeRawBufferPointer(text), .text)
      case .blob(let blob): made = keep(blob, .blob)
      }
    }
    return made
  }

  private func keep(_ value: UnsafeRawBufferPointer, _ kind: Kind) -> Cell {
    if bytes.count - size < value.count {
      let more = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(bytes.count * 2, size + value.count), alignment: 1)
      more.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
      bytes.deallocate()
      bytes = more
    }
    UnsafeMutableRawBufferPointer(rebasing: bytes[size...]).copyMemory(from: value)
    defer { size += value.count }
    return Cell(kind: kind, count: value.count, bits: Int64(size))
  }

  func cell(at row: Int, _ column: Int) -> Cell {
    precondition(row < count && column < width)
    return cells[row * width + column]
  }

  /// The whole number in a column; 0 for anything else.
  private func integer(_ row: Int, _ column: Int) -> Int64 {
    let cell = cell(at: row, column)
    return cell.kind == .integer ? cell.bits : 0
  }

  private func bytes(of cell: Cell) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[Int(cell.bits)..<Int(cell.bits) + cell.count])
  }

  func text(of cell: Cell) -> String { String(decoding: bytes(of: cell), as: UTF8.self) }

  func value(_ row: Int, _ column: Int) -> SQLiteValue {
    let cell = cell(at: row, column)
    return switch cell.kind {
    case .null: .null
    case .integer: .integer(cell.bits)
    case .real: .real(cell.real)
    case .text: .text(text(of: cell))
    case .blob: .blob(Data(bytes(of: cell)))
    }
  }

  // MARK: Rows

  package func key(_ row: Int) -> Int64 { integer(row, 0) }

  /// What was asked of each row beside its values.
  package func flag(_ row: Int) -> Bool { integer(row, width - 1) != 0 }

  /// The value of an attribute that was read with the row; `nil` for any other key.
  package func value(forKey name: String, _ row: Int) throws -> Value? {
    guard let place = entity.plainNames.place(of: name) else { return nil }
    let plain = entity.plain[place]
    return try plain.column.value(row, plain.place, of: self)
  }
}
