internal import DecantSQLite
internal import Foundation

/// Decimals in columns (docs/formats/core-data-sqlite.md 7.1): numbers whose shortest digits are those of the
/// decimal.
enum DecimalColumn {
  struct Malformed: Error, CustomStringConvertible {
    let text: String

    var description: String { "“\(text)” is not a decimal number" }
  }

  private static let locale = Locale(identifier: "en_US_POSIX")

  /// The digits, without grouping.
  static func text(_ number: Decimal) -> String { number.isNaN ? "nan" : number.description }

  static func decimal(_ text: String) throws(Malformed) -> Decimal {
    if text == "nan" { return .nan }
    let bytes = text.utf8
    guard bytes.count <= 400, bytes.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else {
      throw Malformed(text: text)
    }
    // Beyond these exponents Foundation fails or stops the process.
    if let mark = text.lastIndex(where: { $0 == "e" || $0 == "E" }) {
      guard let exponent = Int(text[text.index(after: mark)...]), (-120...120).contains(exponent) else {
        throw Malformed(text: text)
      }
    }
    guard let number = Decimal(string: text, locale: locale), !number.isNaN else { throw Malformed(text: text) }
    return number
  }

  static func decimal(_ value: SQLiteValue) throws(Malformed) -> Decimal? {
    switch value {
    case .null: return nil
    case .integer(let number): return Decimal(number)
    case .real(let number): return try decimal("\(number)")
    case .text(let text): return try decimal(text)
    case .blob: throw Malformed(text: "a BLOB")
    }
  }

  /// The stored form of a decimal: a whole number if it fits 64 bits, else the nearest double.
  static func stored(_ number: Decimal) -> SQLiteValue {
    let text = text(number)
    if let whole = Int64(text) { return .integer(whole) }
    return Double(text).map(SQLiteValue.real) ?? .null
  }
}
