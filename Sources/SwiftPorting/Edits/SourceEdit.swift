/// A change of a file: a text in place of a range of bytes.
struct SourceEdit {
  let range: Range<Int>
  let text: String

  /// The edit that removes code and the blanks after it; it removes the whole line if nothing else is on the line.
  static func removal(of range: Range<Int>, in code: SwiftCode) -> SourceEdit {
    let bytes = code.bytes
    var end = range.upperBound
    while end < bytes.count, bytes[end] == .space || bytes[end] == .tab { end += 1 }
    var start = range.lowerBound
    while start > 0, bytes[start - 1] == .space || bytes[start - 1] == .tab { start -= 1 }
    guard start == 0 || bytes[start - 1].isLineEnd else {
      return SourceEdit(range: range.lowerBound..<end, text: "")
    }
    if end == bytes.count { return SourceEdit(range: start..<end, text: "") }
    guard bytes[end].isLineEnd else { return SourceEdit(range: range.lowerBound..<end, text: "") }
    end += bytes[end] == .carriageReturn && bytes[(end + 1)...].first == .newline ? 2 : 1
    return SourceEdit(range: start..<end, text: "")
  }

  /// If two changes overlap, only the one that begins first in the file is made.
  static func applied(_ edits: [SourceEdit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= place {
      result += bytes[place..<edit.range.lowerBound]
      result += Array(edit.text.utf8)
      place = edit.range.upperBound
    }
    return result + bytes[place...]
  }
}
