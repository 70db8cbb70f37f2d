internal import DecantSQLite
internal import Foundation
package import PredicateFormat

/// Rows that were read together: one area of memory has the cells, another has the texts and blobs.
///
/// Swift values are made only on access.
///
/// The memory isn't that of an array, because reading a value from an array would count references. `@unchecked
/// Sendable`: the maker fills the batch, and after that the batch is only read.
package final class RowBatch: @unchecked Sendable {
  enum Kind: UInt8 { case null, integer, real, text, blob }

  struct Cell {
    let kind: Kind
    /// The number of bytes of a text or blob.
    let count: Int
    /// The number, or the start of the bytes.
    let bits: Int64

    var real: Double { Double(bitPattern: UInt64(bitPattern: bits)) }
  }

  private let entity: EntityRows
  private let width: Int
  private let rows: Int
  private let cells: UnsafeMutablePointer<Cell>
  // Accesses are short and can't overlap. An exclusivity check for each value would cost time.
  @exclusivity(unchecked) private var bytes: UnsafeMutableRawBufferPointer
  /// The total size of texts and blobs in bytes.
  @exclusivity(unchecked) private(set) var size = 0
  @exclusivity(unchecked) package private(set) var count = 0
  /// Whether these are certainly the last rows within the bounds.
  package internal(set) var isLast = false

  /// - Parameters:
  ///   - entity: The entity whose columns come first in each row; one more column is the flag.
  ///   - rows: The largest number of rows.
  ///   - bytes: The expected size of their texts and blobs in bytes.
  init(_ entity: EntityRows, rows: Int, bytes: Int) {
    self.entity = entity
    width = Self.width(entity)
    self.rows = rows
    cells = .allocate(capacity: width * rows)
    self.bytes = .allocate(byteCount: max(bytes, 4096), alignment: 1)
  }

  /// The number of cells of a row: one for each column, and the flag.
  private static func width(_ entity: EntityRows) -> Int { entity.columns.count + 1 }

  /// The memory for a row, without its texts and blobs.
  static func bytes(ofRow entity: EntityRows) -> Int { width(entity) * MemoryLayout<Cell>.stride }

  deinit {
    cells.deallocate()
    bytes.deallocate()
  }

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

  /// The flag of a row: the result of the further condition of `RowSource.batches`.
  package func flag(_ row: Int) -> Bool { integer(row, width - 1) != 0 }

  /// The value of an attribute that was read with the row; `nil` for other keys.
  package func value(forKey name: String, _ row: Int) throws -> Value? {
    guard let place = entity.plainNames.place(of: name) else { return nil }
    let plain = entity.plain[place]
    return try plain.column.value(row, plain.place, of: self)
  }
}
