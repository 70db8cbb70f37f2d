internal import LineOutput

/// One line of `key=value` pairs that a person reads and a script splits.
package enum LogLine {
  /// The pairs in order, without a newline; pairs with an empty value are left out.
  package static func format(_ fields: [(String, String)]) -> String {
    fields.filter { !$0.1.isEmpty }.map { "\($0.0)=\(value($0.1))" }.joined(separator: " ")
  }

  /// The value as it is written in a line.
  ///
  /// The value is in double quotes if it is empty or has a space, a double quote, a backslash, an equals sign or an
  /// unsafe scalar (`isUnsafe`), such as a control character.
  package static func value(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0 != " " && $0 != "\"" && $0 != "\\" && $0 != "=" && !$0.isUnsafe
    }
    if isPlain, !text.isEmpty { return text }
    return "\"" + escaped(text) + "\""
  }

  /// The text on one line, safe for a terminal.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.isUnsafe: result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
