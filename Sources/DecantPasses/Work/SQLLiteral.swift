package import DecantModel
internal import Foundation

/// Values of attributes, and other texts, as SQL literals.
package enum SQLLiteral {
  /// The literal of a stored value (docs/formats/core-data-sqlite.md 7.1).
  ///
  /// External binary values begin with their marker.
  package static func text(_ value: AttributeValue?, isExternal: Bool = false) -> String {
    switch value {
    case nil: "NULL"
    case .string(let text), .uri(let text): string(text)
    case .integer(let integer): integer == .min ? "(-9223372036854775807 - 1)" : String(integer)
    case .boolean(let flag): flag ? "1" : "0"
    case .double(let double), .date(let double): real(double)
    case .decimal(let decimal): decimal.isNaN ? "NULL" : number(decimal)
    case .binary(let data): blob((isExternal ? [1] : []) + [UInt8](data))
    case .uuid(let uuid): blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    }
  }

  package static func string(_ text: String) -> String {
    // A zero character would end the literal.
    guard text.contains("\u{0}") else { return "'" + text.replacing("'", with: "''") + "'" }
    return "CAST(\(blob(Array(text.utf8))) AS TEXT)"
  }

  private static func real(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NULL" : value > 0 ? "9e999" : "-9e999" }
    return "CAST(\(value) AS REAL)"
  }

  private static func number(_ decimal: Decimal) -> String {
    NSDecimalNumber(decimal: decimal).description(withLocale: Locale(identifier: "en_US_POSIX"))
  }

  private static func blob(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 0x0f, radix: 16) }.joined() + "'"
  }
}

extension Sequence<Int> {
  /// `(1, 2, 3)` for `IN`, in order.
  package var list: String { "(" + sorted().map(String.init).joined(separator: ", ") + ")" }
}
