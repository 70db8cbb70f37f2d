package import Foundation

/// Bytes of a pipe, cut into lines; a line longer than the limit is an error rather than memory.
package struct LineBuffer: Sendable {
  /// The largest line in bytes.
  package let limit: Int
  private var bytes = Data()
  /// A line was longer than the limit; nothing is read any more.
  package private(set) var overflowed = false

  package init(limit: Int) { self.limit = limit }

  /// Takes bytes in and gives the lines that they complete, without newlines.
  package mutating func append(_ more: Data) -> [Data] {
    guard !overflowed else { return [] }
    bytes.append(more)
    var lines: [Data] = []
    while let newline = bytes.firstIndex(of: 0x0A) {
      lines.append(Data(bytes[bytes.startIndex..<newline]))
      bytes = Data(bytes[bytes.index(after: newline)...])
    }
    if bytes.count > limit || lines.contains(where: { $0.count > limit }) {
      overflowed = true
      bytes = Data()
      return []
    }
    return lines
  }

  /// True where bytes of an unfinished line are left.
  package var hasRest: Bool { !bytes.isEmpty }
}
