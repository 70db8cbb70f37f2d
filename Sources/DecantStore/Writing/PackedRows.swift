internal import CSQLite
package import DecantSQLite
internal import Foundation

/// A buffer for the values of rows that wait to be written.
///
/// Its memory is reused, so that most values need no new memory.
///
/// `@unchecked Sendable`: the buffer is passed from queue to queue, and only one queue uses it at a time.
package final class PackedRows: @unchecked Sendable {
  private enum Kind: UInt8 { case null, integer, real, text, held }

  private struct Cell {
    let kind: Kind
    /// The number of bytes of a text.
    let count: Int32
    /// The number, the start of the text, or the index in `held`.
    let bits: Int64
  }

  /// The largest size in bytes of a text that is copied.
  ///
  /// A longer text is held as a value.
  private static let most = 4096

  // No arrays: a text must not move while a statement uses it, and reference counts are too slow here.
  // Accesses are short and can't overlap; an exclusivity check for each value would cost time.
  @exclusivity(unchecked) private var cells: UnsafeMutableBufferPointer<Cell>
  @exclusivity(unchecked) private var bytes: UnsafeMutableRawBufferPointer
  @exclusivity(unchecked) private var used = 0
  /// Blobs and long texts.
  private var held: ContiguousArray<SQLiteValue> = []

  @exclusivity(unchecked) package private(set) var count = 0

  package init() {
    cells = .allocate(capacity: 4096)
    bytes = .allocate(byteCount: 64 << 10, alignment: 1)
  }

  deinit {
    cells.deallocate()
    bytes.deallocate()
  }

  package func append(_ value: SQLiteValue) {
    switch value {
    case .null: add(Cell(kind: .null, count: 0, bits: 0))
    case .integer(let number): append(number)
    case .real(let number):
      add(Cell(kind: .real, count: 0, bits: Int64(bitPattern: number.bitPattern)))
    case .text(let text): append(text)
    case .blob: hold(value)
    }
  }

  /// Adds the values of a row, from column `first` on.
  ///
  /// - Parameters:
  ///   - set: The values that were set, by column; they are moved out. It is empty if no value was set.
  ///   - defaults: A value for each column; it is used if no other value was set.
  package func append(
    taking set: inout ContiguousArray<SQLiteValue?>, defaults: ContiguousArray<SQLiteValue>, from first: Int
  ) {
    guard !set.isEmpty else {
      for index in first..<max(first, defaults.count) { append(defaults[index]) }
      return
    }
    set.withUnsafeMutableBufferPointer { slots in
      for index in first..<max(first, defaults.count) {
        // Moved, so that the text's reference count doesn't change.
        switch Self.taken(&slots[index]) {
        case nil: append(defaults[index])
        case .text(let text)?: append(text)
        case .integer(let number)?: append(number)
        case let value?: append(value)
        }
      }
    }
  }

  private static func taken(_ slot: inout SQLiteValue?) -> SQLiteValue? {
    withUnsafeMutablePointer(to: &slot) { slot in
      let value = slot.move()
      slot.initialize(to: nil)
      return value
    }
  }

  private func append(_ text: String) {
    let isCopied: Bool? = text.utf8.withContiguousStorageIfAvailable { append($0) }
    if let isCopied {
      if !isCopied { hold(.text(text)) }
      return
    }
    // This text isn't in Swift's native form.
    var text = text
    if !text.withUTF8({ append($0) }) { hold(.text(text)) }
  }

  /// Copies a text; false if it is too long.
  private func append(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count <= Self.most else { return false }
    if bytes.count - used < text.count { grow() }
    UnsafeMutableRawBufferPointer(rebasing: bytes[used...]).copyMemory(from: UnsafeRawBufferPointer(text))
    add(Cell(kind: .text, count: Int32(text.count), bits: Int64(used)))
    used += text.count
    return true
  }

  package func append(_ number: Int64) { add(Cell(kind: .integer, count: 0, bits: number)) }

  private func add(_ cell: Cell) {
    if count == cells.count {
      let more = UnsafeMutableBufferPointer<Cell>.allocate(capacity: cells.count * 2)
      _ = more.update(fromContentsOf: cells)
      cells.deallocate()
      cells = more
    }
    cells[count] = cell
    count += 1
  }

  private func hold(_ value: SQLiteValue) {
    add(Cell(kind: .held, count: 0, bits: Int64(held.count)))
    held.append(value)
  }

  private func grow() {
    let more = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count * 2, alignment: 1)
    more.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<used]))
    bytes.deallocate()
    bytes = more
  }

  /// Removes all values and keeps the memory.
  package func removeAll() {
    if !held.isEmpty { held.removeAll(keepingCapacity: true) }
    (count, used) = (0, 0)
  }

  /// Binds the value at `place`, counted from 0, to the statement's parameter `index`, counted from 1.
  ///
  /// Copied texts are bound in place. So the statement must run before values are added or removed.
  package func bind(_ place: Int, to statement: SQLiteStatement, at index: Int) throws(SQLiteError) {
    precondition(place < count)
    let cell = cells[place]
    switch cell.kind {
    case .null: try statement.bind(.null, at: index)
    case .integer: try statement.bind(.integer(cell.bits), at: index)
    case .real: try statement.bind(.real(Double(bitPattern: UInt64(bitPattern: cell.bits))), at: index)
    case .text:
      let start = Int(cell.bits)
      try statement.bind(
        textInPlace: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(cell.count)]), at: index)
    case .held: try statement.bind(held[Int(cell.bits)], at: index)
    }
  }
}
