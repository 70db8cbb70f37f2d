internal import Foundation

/// Rows that were read together: their values side by side in one piece of memory, made into Swift's only when they are
/// asked for.
///
/// `@unchecked Sendable`: filled by whoever makes it, and only read from then on.
package final class RowBatch: @unchecked Sendable {
  private enum Kind: UInt8 { case null, integer, real, text, blob }

  private struct Cell {
    let kind: Kind
    /// Of texts and blobs: how many bytes.
    let count: Int
    /// The number, or where the bytes begin.
    let bits: Int64
  }

  private let width: Int
  private var cells: ContiguousArray<Cell> = []
  private var bytes: ContiguousArray<UInt8> = []
  /// How many rows there are.
  package private(set) var count = 0
  /// Whether there are no more rows after these.
  package internal(set) var isLast = false
  /// How many bytes the texts and blobs have.
  var size: Int { bytes.count }

  /// - Parameter width: The columns of a row.
  init(width: Int) {
    self.width = width
  }

  /// Adds the row at which a statement is.
  func append(_ row: SQLiteStatement) {
    for column in 0..<width { append(row, column) }
    count += 1
  }

  private func append(_ row: SQLiteStatement, _ column: Int) {
    row.withCell(column) { cell in
      switch cell {
      case .null: cells.append(Cell(kind: .null, count: 0, bits: 0))
      case .integer(let number): cells.append(Cell(kind: .integer, count: 0, bits: number))
      case .real(let number):
        cells.append(Cell(kind: .real, count: 0, bits: Int64(bitPattern: number.bitPattern)))
      case .text(let text):
        cells.append(Cell(kind: .text, count: text.count, bits: Int64(bytes.count)))
        bytes.append(contentsOf: text)
      case .blob(let blob):
        cells.append(Cell(kind: .blob, count: blob.count, bits: Int64(bytes.count)))
        bytes.append(contentsOf: blob)
      }
    }
  }

  /// The whole number in a column; 0 for anything else.
  package func integer(_ row: Int, _ column: Int) -> Int64 {
    let cell = cells[row * width + column]
    return cell.kind == .integer ? cell.bits : 0
  }

  func value(_ row: Int, _ column: Int) -> SQLiteValue {
    let cell = cells[row * width + column]
    switch cell.kind {
    case .null: return .null
    case .integer: return .integer(cell.bits)
    case .real: return .real(Double(bitPattern: UInt64(bitPattern: cell.bits)))
    case .text:
      let start = Int(cell.bits)
      return bytes.withUnsafeBufferPointer {
        .text(String(decoding: UnsafeBufferPointer(rebasing: $0[start..<start + cell.count]), as: UTF8.self))
      }
    case .blob:
      let start = Int(cell.bits)
      return .blob(Data(bytes[start..<start + cell.count]))
    }
  }
}
