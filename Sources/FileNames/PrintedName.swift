internal import Foundation

/// The form in which people see names: in log, status, journal, reports and messages.
///
/// Two different names always have different forms, even if a terminal shows their text alike.
package enum PrintedName {
  /// A path or name.
  ///
  /// Bytes of characters that aren't plain become `\xNN`, and a backslash becomes `\\`.
  ///
  /// Plain are visible characters in the composed form (NFC).
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

  /// A byte as `\xNN`; visible ASCII stays.
  static func escape(_ byte: UInt8) -> String {
    switch byte {
    case 0x5C: "\\\\"
    case 0x20...0x7E: String(UnicodeScalar(byte))
    default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }

  /// Whether the character is in the composed normal form.
  ///
  /// Another form may look the same.
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
      // Emoji and words of some scripts contain joiners.
      case .format: scalar == joiner || scalar == nonJoiner
      default: true
      }
    }
    return canBeSeen && isComposed(character)
  }

  private static let joiner: Unicode.Scalar = "\u{200D}"
  private static let nonJoiner: Unicode.Scalar = "\u{200C}"
}
