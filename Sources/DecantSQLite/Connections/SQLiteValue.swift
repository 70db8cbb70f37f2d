package import Foundation
internal import PredicateFormat

/// A value of one of SQLite's storage classes.
package enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// The whole number, if the value is one.
  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The size in bytes; 8 for numbers and NULL.
  package var bytes: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let data): data.count
    case .null, .integer, .real: 8
    }
  }

  /// Compares by bytes, as SQLite does: texts in different normal forms are different values.
  package static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): Bytes.areEqual(a, b)
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(let value): Bytes.hash(value, into: &hasher)
    case .blob(let value): hasher.combine(value)
    }
  }
}
