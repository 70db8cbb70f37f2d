internal import Foundation

/// Constants without their own text, which are written as casts: `CAST(0, "NSDate")`.
///
/// The types `NSDate`, `NSDecimalNumber`, `NSNumber` and `Class` belong to the language. The other types are Decant's.
enum ConstantCast {
  /// The constant that a cast stands for; `nil` if the cast stays a cast.
  static func folded(_ expression: Expression, type: String) -> Value? {
    guard let value = constant(expression) else { return nil }
    switch (type, value) {
    case ("NSDate", .integer(let number)):
      let seconds = Double(number)
      return Int64(exactly: seconds) == number ? .date(seconds) : nil
    case ("NSDate", .double(let seconds)): return seconds.isFinite ? .date(seconds) : nil
    case ("NSDate", .string(let text)): return Self.special[text].map(Value.date)
    case ("NSNumber", .string(let text)): return Self.special[text].map(Value.double)
    case ("NSDecimalNumber", .string(let text)): return DecimalText.value(text).map(Value.decimal)
    case ("NSUUID", .string(let text)): return UUID(uuidString: text).map(Value.uuid)
    case ("NSURL", .string(let text)): return .url(text)
    case ("NSData", .string(let text)): return Data(base64Encoded: text).map(Value.data)
    case ("Class", .string(let text)): return .className(text)
    case ("NSSet", .array(let members)): return .set(Distinct.members(members))
    case ("NSDictionary", .array(let members)): return dictionary(members)
    default: return nil
    }
  }

  static func constant(_ expression: Expression) -> Value? {
    switch expression {
    case .constant(let value): return value
    case .aggregate(let members):
      let values = members.compactMap(constant)
      return values.count == members.count ? .array(values) : nil
    default: return nil
    }
  }

  /// The dictionary of a list in which keys and values alternate.
  static func dictionary(_ values: [Value]) -> Value? {
    guard values.count.isMultiple(of: 2) else { return nil }
    var entries: [String: Value] = [:]
    for place in stride(from: 0, to: values.count, by: 2) {
      guard case .string(let key) = values[place], entries[key] == nil else { return nil }
      entries[key] = values[place + 1]
    }
    return .dictionary(entries)
  }

  private static let special: [String: Double] = ["inf": .infinity, "-inf": -.infinity, "nan": .nan]
}
