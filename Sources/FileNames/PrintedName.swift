internal import Foundation

/// How names are shown to people: in log, status, journal, papers and messages.
///
/// Two names that differ are shown differently, also where a terminal would show their text alike.
package enum PrintedName {
  /// A path or name with what isn't plain text as `\xNN`, byte by byte, and a backslash as `\\`.
  ///
  /// Plain are composed characters (NFC) that can be seen.
  package static func of(_ path: String) -> String {
    path.reduce(into: "") { shown, character in
      if character == "\\" {
        shown += "\\\\"
      } else if isPlain(character) {
        shown.append(character)
      } else {
        for byte in character.utf8 { shown += escape(byte) }
      }
    }
  }

  /// A byte as `\xNN`, save those of visible ASCII.
  static func escape(_ byte: UInt8) -> String {
    switch byte {
    case 0x5C: "\\\\"
    case 0x20...0x7E: String(UnicodeScalar(byte))
    default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }

  /// Whether the character is in the composed normal form: another one may look the same.
  package static func isComposed(_ character: Character) -> Bool {
    if character.isASCII { return true }
    let text = String(character)
    return text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
  }

  private static func isPlain(_ character: Character) -> Bool {
    if let byte = character.asciiValue { return character != "\r\n" && (0x20...0x7E).contains(byte) }
    guard let first = character.unicodeScalars.first, !first.properties.isGraphemeExtend, first != joiner
    else { return false }
    let canBeSeen = character.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: false
      // Emoji have joiners within them, and so have words of some scripts.
      case .format: scalar == joiner || scalar == nonJoiner
      default: true
      }
    }
    return canBeSeen && isComposed(character)
  }

  private static let joiner: Unicode.Scalar = "\u{200D}"
  private static let nonJoiner: Unicode.Scalar = "\u{200C}"
}
