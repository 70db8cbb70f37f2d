internal import Foundation

/// `formatNumber`, `parseNumber`: numbers as digits, plain or as a locale writes them.
enum NumberTexts {
  static let functions: [LibraryFunction] = [
    LibraryFunction(
      "formatNumber",
      [.init("number", .number), .init("digits", .whole(0...30)), .init("locale", .locale, isOptional: true)],
      gives: .text, format),
    LibraryFunction(
      "parseNumber", [.init("text", .text), .init("locale", .locale, isOptional: true)], gives: .number,
      nilFor: .otherForm
    ) { call throws(EvaluationError) in
      guard call.has(1) else { return value(plain(call.text(0))) }
      return Locales.locale(call.text(1)).map { value(localised(call.text(0), $0)) } ?? .null
    },
  ]

  // MARK: Writing

  private static func format(_ call: LibraryCall) throws(EvaluationError) -> Value {
    guard let number = Number(call.value(0)), number.double.isFinite else { return .null }
    let fraction = call.whole(1)
    let digits = RoundedDigits(number.text, fraction: fraction)
    guard call.has(2), let locale = Locales.locale(call.text(2)) else { return .string(digits.text) }
    guard digits.count <= 38, let decimal = Decimal(string: digits.text, locale: Locales.posix) else {
      throw .mismatch(call.value(0), expected: "a number of at most 38 digits as “number” of “formatNumber”")
    }
    return .string(decimal.formatted(.number.precision(.fractionLength(fraction)).locale(locale)))
  }

  // MARK: Reading

  /// Digits, with or without a minus sign, give an integer if it fits 64 bits.
  ///
  /// Other numbers are decimals if possible, otherwise doubles.
  private static func value(_ digits: String?) -> Value {
    guard let digits else { return .null }
    if let whole = Int64(digits) { return .integer(whole) }
    if let decimal = DecimalText.value(digits) { return .decimal(decimal) }
    return Double(digits).flatMap { $0.isFinite ? .double($0) : nil } ?? .null
  }

  /// Leaves out a plus sign, and white space around the number.
  private static func plain(_ text: String) -> String? {
    let digits = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
    let rest = text[digits.endIndex...]
    guard rest.allSatisfy(\.isWhitespace), digits.utf8.count <= 400,
      digits.wholeMatch(of: /[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,4})?/) != nil
    else { return nil }
    return String(digits.hasPrefix("+") ? digits.dropFirst() : digits)
  }

  /// The number in a text with a locale's separators, as plain digits.
  ///
  /// Groups have two or three digits; the first group may have one, and the last group has three.
  private static func localised(_ text: String, _ locale: Locale) -> String? {
    let point = locale.decimalSeparator ?? "."
    let group = locale.groupingSeparator ?? ","
    func isGroup(_ character: Character) -> Bool {
      String(character) == group || (group.allSatisfy(\.isWhitespace) && character.isWhitespace)
    }
    guard text.utf8.count <= 400 else { return nil }
    var rest = text.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    var digits = ""
    if let sign = rest.first, "-−+".contains(sign) {
      if sign != "+" { digits = "-" }
      rest.removeFirst()
    }
    let parts = rest.split(separator: point, maxSplits: 1, omittingEmptySubsequences: false)
    let groups = parts[0].split(omittingEmptySubsequences: false, whereSeparator: isGroup)
    if groups.count > 1 {
      guard let first = groups.first, (1...3).contains(first.count), groups.last?.count == 3,
        groups.dropFirst().allSatisfy({ (2...3).contains($0.count) })
      else { return nil }
    }
    guard let whole = ascii(groups.joined()), let fraction = ascii(parts.count > 1 ? String(parts[1]) : ""),
      !(whole.isEmpty && fraction.isEmpty)
    else { return nil }
    return digits + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// Digits of any script as ASCII digits.
  private static func ascii(_ text: String) -> String? {
    var digits = ""
    for scalar in text.unicodeScalars {
      guard scalar.properties.numericType == .decimal, let number = scalar.properties.numericValue else {
        return nil
      }
      digits += "\(Int(number))"
    }
    return digits
  }
}
