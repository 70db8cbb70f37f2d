/// Quotes parts of a program's output in messages.
enum ProgramQuote {
  /// The largest line, in bytes, that is quoted completely.
  private static let whole = 120
  /// The number of bytes that are quoted before the place of interest, if it isn't near an end of a longer line.
  private static let before = 40

  /// The line, or the part of the line around a place.
  ///
  /// - Parameter place: The byte of interest, from 0.
  static func text(_ line: [UInt8], around place: Int = 0) -> String {
    guard line.count > whole else { return text(line[...]) }
    var start = max(0, min(place, line.count) - before)
    var end = min(line.count, start + whole)
    start = max(0, end - whole)
    // Never split a character.
    while start > 0, isContinuation(line[start]) { start -= 1 }
    while end < line.count, isContinuation(line[end]) { end += 1 }
    return (start > 0 ? "…" : "") + text(line[start..<end]) + (end < line.count ? "…" : "")
  }

  /// The place of the first byte that isn't UTF-8, from 0.
  static func firstInvalid(_ line: [UInt8]) -> Int? {
    var place = 0
    var parser = Unicode.UTF8.ForwardParser()
    var rest = line.makeIterator()
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): place += scalar.count
      case .error: return place
      case .emptyInput: return nil
      }
    }
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xc0 == 0x80 }

  /// Bytes that aren't UTF-8, and control characters, are written in hexadecimal, such as `\x0A`.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    var place = bytes.startIndex
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    while true {
      let length: Int
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        length = encoded.count
        if scalar.properties.generalCategory != .control {
          text.unicodeScalars.append(scalar)
          place += length
          continue
        }
      case .error(let count): length = count
      case .emptyInput: return text
      }
      for byte in bytes[place..<place + length] {
        text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
      place += length
    }
  }
}
