package import DecantModel
internal import Foundation
package import PredicateFormat

/// Converts row values to Foundation's classes, as Core Data does, and back.
///
/// Numbers become `NSNumber`, which casts to every numeric type that fits. A Boolean becomes an `NSNumber` made from a
/// `Bool`.
package enum ValueBridge {
  /// The value for a policy, without objects: an object gives `nil`, and collections lack their objects.
  package static func any(of value: Value) -> Any? {
    switch value {
    case .null: nil
    case .boolean(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .double(let number): NSNumber(value: number)
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .string(let text), .className(let text): text
    case .data(let bytes): bytes
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .uuid(let uuid): uuid
    case .url(let text): URL(string: text) ?? text as Any
    case .array(let members), .set(let members): members.compactMap(any)
    case .dictionary(let entries): entries.compactMapValues(any)
    case .object: nil
    }
  }

  package static func any(of value: AttributeValue?) -> Any? { value.flatMap { any(of: Value($0)) } }

  /// A plain value from a policy; `nil` for a kind that no attribute has.
  ///
  /// A nil value and `NSNull` give `.null`.
  package static func value(of any: Any?) -> Value? {
    guard let any else { return .null }
    if let common = common(any) { return common }
    guard let any = flattened(any) else { return .null }
    switch any {
    case is NSNull: return .null
    case let text as String: return .string(text)
    case let number as NSDecimalNumber: return .decimal(number.decimalValue)
    case let decimal as Decimal: return .decimal(decimal)
    case let number as NSNumber: return value(of: number)
    case let date as Date: return .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: return .data(data)
    case let uuid as UUID: return .uuid(uuid)
    case let url as URL: return .url(url.absoluteString)
    default: return nil
    }
  }

  /// A value of one of the most common types.
  ///
  /// A failed cast is slow, and policies give several values for each object. So the type is examined first.
  private static func common(_ any: Any) -> Value? {
    let type = type(of: any)
    if type == String.self { return (any as? String).map(Value.string) }
    if type == NSNumber.self { return (any as? NSNumber).map(value) }
    if type == Date.self { return (any as? Date).map { .date($0.timeIntervalSinceReferenceDate) } }
    if type == Int.self { return (any as? Int).map { .integer(Int64($0)) } }
    if type == Double.self { return (any as? Double).map(Value.double) }
    return nil
  }

  /// The value inside nested optionals; `nil` if one of them is nil.
  package static func flattened(_ any: Any?) -> Any? {
    guard let any else { return nil }
    guard let inner = any as? any OptionalValue else { return any }
    return inner.held.flatMap { flattened($0) }
  }

  static func value(of number: NSNumber) -> Value {
    if type(of: number) == type(of: NSNumber(value: true)) { return .boolean(number.boolValue) }
    switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
    case "d", "f": return .double(number.doubleValue)
    case "Q", "L":
      let wide = number.uint64Value
      return Int64(exactly: wide).map { .integer($0) } ?? .decimal(Decimal(wide))
    default: return .integer(number.int64Value)
    }
  }
}

private protocol OptionalValue {
  var held: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var held: Any? { map { $0 as Any } }
}
