package import Foundation

/// Splits the bytes of a pipe into lines; after a line above the limit, the buffer takes and keeps nothing more.
package struct LineBuffer: Sendable {
  /// The maximum length of a line, in bytes.
  package let limit: Int
  private var bytes = Data()
  /// Whether a line was longer than the limit; then no more bytes are taken.
  package private(set) var overflowed = false

  package init(limit: Int) { self.limit = limit }

  /// Takes bytes and returns the lines that they complete, without newlines; no lines after an overflow.
  package mutating func append(_ more: Data) -> [Data] {
    guard !overflowed else { return [] }
    bytes.append(more)
    var lines: [Data] = []
    var rest = 0
    bytes.withUnsafeBytes { bytes in
      while let newline = bytes[rest...].firstIndex(of: 0x0A) {
        lines.append(Data(bytes[rest..<newline]))
        rest = newline + 1
      }
    }
    if rest > 0 { bytes = Data(bytes.dropFirst(rest)) }
    if bytes.count > limit || lines.contains(where: { $0.count > limit }) {
      overflowed = true
      bytes = Data()
      return []
    }
    return lines
  }

  /// Whether an unfinished line is left.
  package var hasRest: Bool { !bytes.isEmpty }
}
