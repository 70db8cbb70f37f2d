public import Foundation
package import PredicateFormat

/// A value of an attribute that isn't from a store, such as a default value or a limit.
public enum AttributeValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case boolean(Bool)
  case double(Double)
  case decimal(Decimal)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case binary(Data)
  case uuid(UUID)
  case uri(String)
}

extension Value {
  /// A default value in the form in which an expression or a policy would give it.
  package init(_ value: AttributeValue) {
    self =
      switch value {
      case .string(let text): .string(text)
      case .integer(let number): .integer(number)
      case .boolean(let flag): .boolean(flag)
      case .double(let number): .double(number)
      case .decimal(let number): .decimal(number)
      case .date(let seconds): .date(seconds)
      case .binary(let data): .data(data)
      case .uuid(let uuid): .uuid(uuid)
      case .uri(let text): .url(text)
      }
  }
}
