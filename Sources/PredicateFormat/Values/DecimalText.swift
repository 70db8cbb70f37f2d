package import Foundation

/// Decimals as text, the same on every machine.
package enum DecimalText {
  /// The number, if the whole text is one: digits, with or without a minus sign, a point and an exponent; or “nan”.
  ///
  /// `nil` also for more than 200 digits, and for an exponent below -120 or above 120.
  package static func value(_ text: String) -> Decimal? {
    if text == "nan" { return Decimal.nan }
    var bytes = text.utf8[...]
    if bytes.first == UInt8(ascii: "-") { bytes = bytes.dropFirst() }
    var digits = 0
    var points = 0
    while let byte = bytes.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "."): points += 1
      default: return nil
      }
      bytes = bytes.dropFirst()
    }
    guard digits > 0, digits <= 200, points <= 1 else { return nil }
    if !bytes.isEmpty {
      // Beyond these exponents Foundation fails or stops the process.
      guard let exponent = Int(Substring(bytes.dropFirst())), (-120...120).contains(exponent) else {
        return nil
      }
    }
    let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    return number.flatMap { $0.isNaN ? nil : $0 }
  }

  /// The number as text, without grouping.
  package static func text(_ number: Decimal) -> String { number.isNaN ? "nan" : number.description }
}
