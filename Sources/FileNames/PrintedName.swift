internal import Foundation

/// The form in which people see names: in log, status, journal, reports and messages.
///
/// Names of different bytes give different texts. Letters that look alike, for example of two scripts, aren't
/// changed.
package enum PrintedName {
  /// The printed form of a path or name.
  ///
  /// Composed characters (NFC) that can be seen, and U+0020, are shown unchanged, but a backslash is doubled. Any other
  /// character is written byte by byte (`escape`). An example is an emoji with a joiner or a variation selector,
  /// because these scalars can't be seen.
  package static func of(_ path: String) -> String {
    // Nearly every name has only such bytes, and splitting into characters takes long.
    if path.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x5C }) { return path }
    return path.reduce(into: "") { shown, character in
      if character == "\\" {
        shown += "\\\\"
      } else if isPlain(character) {
        shown.append(character)
      } else {
        for byte in character.utf8 { shown += escape(byte) }
      }
    }
  }

  /// A byte as `\xNN`; visible ASCII and the space stay, and a backslash is doubled.
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

  /// Whether the character can be shown unchanged: composed, and all its scalars visible.
  package static func isPlain(_ character: Character) -> Bool {
    if let byte = character.asciiValue { return character != "\r\n" && (0x20...0x7E).contains(byte) }
    let scalars = character.unicodeScalars
    guard let first = scalars.first, !first.properties.isGraphemeExtend else { return false }
    return scalars.allSatisfy(canBeSeen) && isComposed(character)
  }

  private static func canBeSeen(_ scalar: Unicode.Scalar) -> Bool {
    // A backslash that is part of a larger character would not be doubled, so the character is escaped.
    if scalar == "\\" || scalar == brailleBlank || scalar.properties.isDefaultIgnorableCodePoint {
      return false
    }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
    // A terminal may show all such characters alike.
    case .unassigned, .privateUse, .surrogate: false
    default: true
    }
  }

  private static let brailleBlank: Unicode.Scalar = "\u{2800}"
}
