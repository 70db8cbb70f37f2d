public import Foundation

/// A value of an attribute outside any store, such as a default value or a limit.
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
