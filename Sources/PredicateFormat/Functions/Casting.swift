internal import Foundation

/// `CAST(x, "type")` (docs/formats/predicate-format.md 3.3); nil gives nil.
///
/// `plain` and `own` show which values a type takes. Any other value except nil is an error.
enum Casting {
  static let types = [
    "NSDate", "NSNumber", "NSDecimalNumber", "NSString", "Class", "NSArray", "NSSet", "NSDictionary", "NSUUID",
    "NSURL",
    "NSData",
  ]

  static func value(_ value: Value, type: String) throws(EvaluationError) -> Value {
    guard types.contains(type) else {
      throw EvaluationError(.unsupported("a cast to “\(type)” (known: \(types.joined(separator: ", ")))"))
    }
    if Equality.holds(value, .null) { return .null }
    guard let result = plain(value, type) ?? own(value, type) else {
      guard case .string(let text) = value else {
        throw .mismatch(value, expected: "something that can be cast to \(type)")
      }
      throw EvaluationError(
        .mismatch(
          expected: "something that can be cast to \(type)",
          found: "the string “\(shortened(text))”\(advice(for: type))"))
    }
    return result
  }

  private static func shortened(_ text: String) -> String {
    let line = String(text.prefix(41).map { $0.isNewline ? " " : $0 })
    return line.count > 40 ? line.prefix(40) + "…" : line
  }

  private static func advice(for type: String) -> String {
    switch type {
    case "NSNumber", "NSDecimalNumber":
      "; parseNumber(…) reads numbers as people write them, and is nil for other texts"
    case "NSDate": "; parseDate(…, \"yyyy-MM-dd\") reads dates by a pattern, and is nil for other texts"
    case "NSUUID": "; parseUUID(…) is nil for other texts"
    default: ""
    }
  }

  private static func plain(_ value: Value, _ type: String) -> Value? {
    switch (type, value) {
    case ("NSDate", .date), ("NSString", .string), ("Class", .className): return value
    case ("NSDate", _): return Number(value).map { .date($0.double) }
    case ("NSNumber", .date(let seconds)): return Number.double(seconds).value
    case ("NSNumber", .string(let text)): return number(text)
    case ("NSNumber", _): return Number(value)?.value
    case ("NSDecimalNumber", .string(let text)): return DecimalText.value(text).map(Value.decimal)
    case ("NSDecimalNumber", _):
      return Number(value).flatMap { DecimalText.value("\($0.text)") }.map(Value.decimal)
    case ("NSString", .uuid(let uuid)): return .string(uuid.uuidString)
    case ("NSString", .url(let text)), ("NSString", .className(let text)): return .string(text)
    case ("NSString", _): return Number(value).map { .string($0.text) }
    case ("Class", .string(let name)): return .className(name)
    default: return nil
    }
  }

  private static func number(_ text: String) -> Value? {
    if let whole = Int64(text) { return .integer(whole) }
    // Only digits, signs, points and exponents are accepted, because Swift also reads “0x1p3” and “infinity”.
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
    return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
  }

  private static func own(_ value: Value, _ type: String) -> Value? {
    switch (type, value) {
    case ("NSArray", .array), ("NSSet", .set), ("NSDictionary", .dictionary), ("NSUUID", .uuid),
      ("NSURL", .url),
      ("NSData", .data):
      return value
    case ("NSArray", .set(let members)): return .array(members)
    case ("NSSet", .array(let members)): return .set(Distinct.members(members))
    case ("NSDictionary", .array(let members)): return ConstantCast.dictionary(members)
    case ("NSUUID", .string(let text)): return UUID(uuidString: text).map(Value.uuid)
    case ("NSURL", .string(let text)): return .url(text)
    case ("NSData", .string(let text)): return Data(base64Encoded: text).map(Value.data)
    default: return nil
    }
  }
}
