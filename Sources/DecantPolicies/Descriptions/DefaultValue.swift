internal import DecantModel
internal import Foundation
internal import PredicateFormat

/// Converts a program's default value into the form that models use.
enum DefaultValue {
  static func of(_ any: Any?, as type: AttributeType) -> AttributeValue? {
    guard let content = type.content, let value = ValueBridge.value(of: any) else { return nil }
    switch (content, value) {
    case (.boolean, .boolean(let flag)): return .boolean(flag)
    case (.boolean, .integer(let number)) where number == 0 || number == 1: return .boolean(number == 1)
    case (.integer(let range), _): return integer(value).flatMap { range.contains($0) ? .integer($0) : nil }
    case (.real, .integer(let number)): return .double(Double(number))
    case (.real, .double(let number)): return .double(number)
    case (.real, .decimal(let number)): return .double(NSDecimalNumber(decimal: number).doubleValue)
    case (.decimal, .integer(let number)): return .decimal(Decimal(number))
    case (.decimal, .double(let number)) where number.isFinite: return .decimal(Decimal(number))
    case (.decimal, .decimal(let number)): return .decimal(number)
    case (.string, .string(let text)): return .string(text)
    case (.url, .url(let text)), (.url, .string(let text)): return .uri(text)
    case (.date, .date(let seconds)): return .date(seconds)
    case (.uuid, .uuid(let uuid)): return .uuid(uuid)
    case (.data, .data(let data)): return .binary(data)
    default: return nil
    }
  }

  private static func integer(_ value: Value) -> Int64? {
    switch value {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }
}
