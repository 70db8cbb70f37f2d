internal import Foundation

/// Converts texts of a model file into default values and limits (docs/formats/model-files.md 2.4).
enum AttributeText {
  static func defaultValue(_ element: XMLTree, type: AttributeType) -> AttributeValue? {
    value(
      text: element.attributes["defaultValueString"], interval: element.attributes["defaultDateTimeInterval"],
      type: type)
  }

  static func limits(_ element: XMLTree, type: AttributeType) -> Attribute.Limits {
    func limit(_ side: String) -> AttributeValue? {
      // A string's limits are lengths. A date's display text is never parsed.
      let limitType: AttributeType = type == .string ? .integer64 : type
      return value(
        text: element.attributes["\(side)ValueString"], interval: element.attributes["\(side)DateTimeInterval"],
        type: limitType)
    }
    return Attribute.Limits(
      minimum: limit("min"), maximum: limit("max"),
      regularExpression: element.attributes["regularExpressionString"].flatMap { $0.isEmpty ? nil : $0 })
  }

  static func value(text: String?, interval: String?, type: AttributeType) -> AttributeValue? {
    if type == .date { return interval.flatMap(Double.init).flatMap { $0.isFinite ? .date($0) : nil } }
    guard let text else { return nil }
    switch type.content {
    case .string: return .string(text)
    case .boolean: return .boolean(["YES", "TRUE", "1"].contains(text.uppercased()))
    case .integer: return .integer(leadingInteger(text))
    case .real: return .double(leadingDouble(text))
    case .decimal:
      return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map(AttributeValue.decimal)
    case .uuid: return UUID(uuidString: text).map(AttributeValue.uuid)
    case .url: return .uri(text)
    case .data(isTransformed: false): return Data(base64Encoded: text).map(AttributeValue.binary)
    case .date, .data, nil: return nil
    }
  }

  /// The number at the start of a text, with an optional sign; 0 without digits, and clamped if it is out of range.
  private static func leadingInteger(_ text: String) -> Int64 {
    var digits = text.drop(while: \.isWhitespace)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits = digits.dropFirst() }
    let number = digits.prefix { $0.isASCII && $0.isNumber }
    guard !number.isEmpty else { return 0 }
    return Int64((isNegative ? "-" : "") + number) ?? (isNegative ? .min : .max)
  }

  private static func leadingDouble(_ text: String) -> Double {
    let trimmed = text.drop(while: \.isWhitespace)
    if let whole = Double(trimmed), whole.isFinite { return whole }
    let number = trimmed.prefix { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    return Double(number).flatMap { $0.isFinite ? $0 : nil } ?? 0
  }
}
