enum JSON5Text {
  /// A text in double quotes, or in single quotes if it has double quotes and no single ones.
  static func quoted(_ text: String) -> String {
    let quote: Unicode.Scalar = text.contains("\"") && !text.contains("'") ? "'" : "\""
    var result = String(quote)
    for scalar in text.unicodeScalars {
      switch scalar {
      case quote, "\\":
        result += "\\"
        result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if isPlain(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
      }
    }
    result.unicodeScalars.append(quote)
    return result
  }

  static func key(_ name: String) -> String {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      name.utf8.allSatisfy(isWordByte)
    else { return quoted(name) }
    return name
  }

  /// A text as a one-line comment; line breaks and control characters become spaces.
  static func comment(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isPlain(scalar) ? scalar : " ") }
    return "// " + String(result)
  }

  /// A text in several comment lines.
  ///
  /// - Parameter width: The largest number of characters after `// ` in a line; only a longer word exceeds it.
  static func comments(_ text: String, width: Int = 90) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + word.count + 1 > width {
        lines.append(comment(line))
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [comment(line)]
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029, 0xfeff: false
    default: true
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
