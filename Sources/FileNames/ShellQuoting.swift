/// Quotes words for a POSIX-like shell.
package enum ShellQuoting {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:=@%,".utf8)

  /// The word, quoted if necessary.
  ///
  /// Bytes that a terminal can't show unambiguously are escaped.
  package static func quote(_ word: String) -> String { quote(bytes: Array(word.utf8)) }

  /// A command line that can be pasted into a shell.
  package static func line(_ words: [String]) -> String { words.map { quote($0) }.joined(separator: " ") }

  package static func quote(bytes: [UInt8]) -> String {
    if !bytes.isEmpty, bytes.allSatisfy(plain.contains) { return String(decoding: bytes, as: UTF8.self) }
    let text = String(decoding: bytes, as: UTF8.self)
    let isShowable =
      Array(text.utf8) == bytes && text.allSatisfy(PrintedName.isPlain)
    if isShowable {
      // This works on scalars, because Swift joins a quote and a combining mark into one character, but the shell
      // still sees a quote.
      return "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
    return quote(escaping: bytes)
  }

  /// The word in ASCII, so that copying can't change its normal form.
  package static func quote(escaping bytes: [UInt8]) -> String {
    if !bytes.isEmpty, bytes.allSatisfy(plain.contains) { return String(decoding: bytes, as: UTF8.self) }
    if bytes.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x27 }) {
      return "'" + String(decoding: bytes, as: UTF8.self) + "'"
    }
    var quoted = "$'"
    for byte in bytes {
      switch byte {
      case 0x27, 0x5C: quoted += "\\" + String(UnicodeScalar(byte))
      case 0x20...0x7E: quoted += String(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16)
        quoted += "\\x" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return quoted + "'"
  }
}
