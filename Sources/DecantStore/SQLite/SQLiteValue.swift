public import Foundation

/// A value of one of SQLite's storage classes.
public enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// The whole number, where it is one.
  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }
}
