internal import DecantModel
internal import Foundation
internal import PredicateFormat

/// Converts a program's JSON into a value of an attribute's type.
///
/// JSON's `null` becomes a nil value for every type, and so does `"nan"` for floating-point types.
enum ProgramValue {
  static func value(_ json: ProgramJSON, for type: AttributeType) -> Value? {
    switch (type.content, json) {
    case (_, .null): return .null
    case (.integer(let range), _): return whole(json).flatMap { range.contains($0) ? .integer($0) : nil }
    case (.boolean, .boolean(let flag)): return .boolean(flag)
    case (.boolean, _): return whole(json).flatMap { $0 == 0 || $0 == 1 ? .boolean($0 == 1) : nil }
    case (.real(isSingle: false), _): return double(json).map { $0.isNaN ? .null : .double($0) }
    case (.real, _):
      return double(json).flatMap { number in
        number.isNaN ? .null : Float(number).isFinite || !number.isFinite ? .double(number) : nil
      }
    case (.decimal, .number(let text)), (.decimal, .string(let text)):
      return DecimalText.value(text).flatMap { $0.isNaN ? nil : .decimal($0) }
    case (.string, .string(let text)): return .string(text)
    case (.date, .number), (.date, .string("inf")), (.date, .string("-inf")):
      return double(json).map(Value.date)
    case (.date, .string(let text)): return ProgramDate.seconds(text).map(Value.date)
    case (.data, .string(let text)): return Data(base64Encoded: text).map(Value.data)
    case (.uuid, .string(let text)): return UUID(uuidString: text).map(Value.uuid)
    case (.url, .string(let text)): return .url(text)
    default: return nil
    }
  }

  static func form(_ type: AttributeType) -> String {
    switch type.content {
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .boolean: "true or false"
    case .real: "a number, or one of the texts “inf”, “-inf”, “nan”"
    case .decimal: "a number, or its digits as a text"
    case .string, .url: "a text"
    case .date: "a number of seconds since 2001, or a text such as “2001-01-31T23:59:59.5Z”"
    case .data: "a text of base64"
    case .uuid: "a text such as “8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11”"
    case nil: "null; set the elements of a composite attribute one by one"
    }
  }

  /// A number without a fraction; `5.0` is accepted, and so is a text of its digits.
  private static func whole(_ json: ProgramJSON) -> Int64? {
    switch json {
    case .number(let text): Int64(text) ?? Double(text).flatMap { abs($0) < 0x1p53 ? Int64(exactly: $0) : nil }
    case .string(let text): Int64(text)
    default: nil
    }
  }

  private static func double(_ json: ProgramJSON) -> Double? {
    switch json {
    case .number(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .string("inf"): .infinity
    case .string("-inf"): -.infinity
    case .string("nan"): .nan
    default: nil
    }
  }
}
