internal import DecantModel
internal import Foundation
internal import PredicateFormat

enum ValueText {
  /// A default value; `nil` if no expression states it.
  static func of(_ value: AttributeValue) -> String? {
    let text: String
    switch value {
    case .string(let string): text = "\(FormatExpression.constant(.string(string)))"
    case .integer(let number): text = "\(number)"
    case .boolean(let flag): text = flag ? "YES" : "NO"
    case .double(let number): text = "\(number)"
    case .decimal(let number): text = "CAST('\(number)', 'NSDecimalNumber')"
    case .date(let seconds): text = "CAST(\(seconds), 'NSDate')"
    case .binary(let data): text = "CAST('\(data.base64EncodedString())', 'NSData')"
    case .uuid(let uuid): text = "CAST('\(uuid.uuidString)', 'NSUUID')"
    case .uri(let uri): text = "CAST(\(FormatExpression.constant(.string(uri))), 'NSURL')"
    }
    return (try? FormatExpression(parsing: text)) == nil ? nil : text
  }

  /// A constant that an attribute of a type can have; `nil` if there is no simple one.
  static func example(_ type: AttributeType) -> String? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal: "0"
    case .string: "''"
    case .boolean: "NO"
    case .date: "CAST(0, 'NSDate')"
    case .uuid: "uuid()"
    case .uri: "CAST('about:blank', 'NSURL')"
    case .binary: "CAST('', 'NSData')"
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }

  /// Expressions that make a value of one type from a value of another, best first.
  static func conversions(_ key: String, from former: AttributeType, to type: AttributeType) -> [String] {
    let value = "\(FormatExpression.source(key))"
    switch (former, type) {
    case (.string, .integer16), (.string, .integer32), (.string, .integer64), (.string, .double),
      (.string, .float), (.string, .decimal):
      return ["parseNumber(\(value))"]
    case (.string, .date): return ["parseDate(\(value), 'yyyy-MM-dd')"]
    case (.string, .uuid): return ["parseUUID(\(value))"]
    case (.string, .boolean): return ["TERNARY(\(value) IN {'1', 'true', 'YES'}, YES, NO)"]
    case (.string, .uri): return ["CAST(\(value), 'NSURL')"]
    case (.date, .string): return ["formatDate(\(value), 'yyyy-MM-dd HH:mm:ss')"]
    case (.boolean, .string): return ["TERNARY(\(value) == YES, 'true', 'false')"]
    case (.date, _): return ["CAST(\(value), 'NSNumber')", value]
    case (_, .boolean): return ["TERNARY(\(value) == 0, NO, YES)", value]
    case (_, .string): return ["CAST(\(value), 'NSString')"]
    case (_, .date): return ["CAST(\(value), 'NSDate')"]
    default: return [value]
    }
  }
}
