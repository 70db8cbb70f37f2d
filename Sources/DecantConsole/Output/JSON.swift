/// A JSON value; keys are sorted, so that equal content gives equal text.
package indirect enum JSON: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// A string, or null.
  package static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
  package static func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map(JSON.string)) }

  /// The lines of the text, indented by two spaces a level.
  package var lines: [String] { text(indent: "").split(separator: "\n").map(String.init) }

  private func text(indent: String) -> String {
    let deeper = indent + "  "
    switch self {
    case .null: return "null"
    case .boolean(let value): return value ? "true" : "false"
    case .integer(let value): return String(value)
    case .real(let value): return value.isFinite ? "\(value)" : "null"
    case .string(let value): return Self.quoted(value)
    case .array(let elements):
      guard !elements.isEmpty else { return "[]" }
      return "[\n"
        + elements.map { deeper + $0.text(indent: deeper) }.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let entries):
      guard !entries.isEmpty else { return "{}" }
      let sorted = entries.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
      return "{\n"
        + sorted.map { "\(deeper)\(Self.quoted($0.key)): \($0.value.text(indent: deeper))" }
        .joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7f || scalar.value == 0x2028 || scalar.value == 0x2029 {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
