internal import Foundation

/// The built-in keys of texts, numbers, dates and other plain values.
package enum PlainKeys {
  /// The built-in keys of all kinds of values, except `self`.
  private static let all = [
    "length", "uppercaseString", "lowercaseString", "integerValue", "longLongValue", "intValue", "doubleValue",
    "floatValue", "boolValue", "stringValue", "description", "timeIntervalSince1970",
    "timeIntervalSinceReferenceDate", "UUIDString", "absoluteString",
  ]

  /// The built-in keys that a value has, except `self`.
  package static func names(of value: Value) -> [String] { all.filter { self.value($0, of: value) != nil } }

  static func value(_ key: String, of value: Value) -> Value? {
    if key == "self" { return value }
    switch value {
    case .string(let text): return self.value(key, of: text)
    case .boolean, .integer, .double, .decimal: return number(key, of: value)
    case .data(let data): return key == "length" ? .integer(Int64(data.count)) : nil
    case .date(let seconds):
      switch key {
      case "timeIntervalSinceReferenceDate": return .double(seconds)
      case "timeIntervalSince1970": return .double(seconds + 978_307_200)
      default: return nil
      }
    case .uuid(let uuid): return key == "UUIDString" ? .string(uuid.uuidString) : nil
    case .url(let text): return key == "absoluteString" ? .string(text) : nil
    default: return nil
    }
  }

  /// As in NSString, lengths are in UTF-16 units, and the keys for numbers read the number at the string's beginning.
  private static func value(_ key: String, of text: String) -> Value? {
    switch key {
    case "length": return .integer(Int64(text.utf16.count))
    case "uppercaseString": return .string(text.uppercased())
    case "lowercaseString": return .string(text.lowercased())
    case "integerValue", "longLongValue", "intValue": return .integer(leadingInteger(text))
    case "doubleValue", "floatValue": return .double(leadingDouble(text))
    case "description": return .string(text)
    default: return nil
    }
  }

  private static func number(_ key: String, of value: Value) -> Value? {
    guard let number = Number(value) else { return .null }
    switch key {
    case "integerValue", "longLongValue", "intValue": return number.truncated.map(Value.integer) ?? .null
    case "doubleValue", "floatValue": return .double(number.double)
    case "boolValue": return .boolean(number.double != 0)
    case "stringValue", "description": return .string(number.text)
    default: return nil
    }
  }

  private static func leadingInteger(_ text: String) -> Int64 {
    let bytes = Array(text.utf8.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A })
    let isNegative = bytes.first == UInt8(ascii: "-")
    let isSigned = isNegative || bytes.first == UInt8(ascii: "+")
    let digits = bytes.dropFirst(isSigned ? 1 : 0).prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return 0 }
    let number = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    return Int64(number) ?? (isNegative ? .min : .max)
  }

  private static func leadingDouble(_ text: String) -> Double {
    let trimmed = text.drop { $0 == " " || $0 == "\t" || $0 == "\n" }
    let parts = trimmed.prefixMatch(of: /[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?/)
    return parts.flatMap { Double($0.output.0) } ?? 0
  }
}
