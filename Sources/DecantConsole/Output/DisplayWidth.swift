/// The number of columns that a text takes on a terminal.
package enum DisplayWidth {
  /// Counts two columns for most wide characters and most emoji, and one for all others.
  package static func columns(of text: some StringProtocol) -> Int {
    text.reduce(0) { sum, character in
      guard let scalar = character.unicodeScalars.first else { return sum }
      return sum + (isWide(scalar) ? 2 : 1)
    }
  }

  /// The text filled with spaces up to a number of columns.
  package static func pad(_ text: String, to width: Int, leading: Bool = false) -> String {
    let fill = String(repeating: " ", count: max(0, width - columns(of: text)))
    return leading ? fill + text : text + fill
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
      0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
      0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
      true
    default: false
    }
  }
}
