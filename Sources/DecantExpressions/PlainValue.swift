package import DecantSQLite
internal import Foundation
package import PredicateFormat

/// Values in a store's form, for callers that don't need kinds.
package enum PlainValue {
  struct NoValue: Error, CustomStringConvertible {
    let kind: String

    var description: String { "the expression gives \(kind), but one plain value is needed" }
  }

  package static func sqlite(_ value: Value) throws -> SQLiteValue {
    switch value {
    case .null: .null
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .double(let number), .date(let number): number.isNaN ? .null : .real(number)
    case .decimal(let number): DecimalColumn.stored(number)
    case .string(let text), .url(let text): .text(text)
    case .data(let data): .blob(data)
    case .uuid(let uuid): .blob(UUIDColumn.data(uuid))
    case .array, .set, .dictionary, .object, .className: throw NoValue(kind: value.kind)
    }
  }
}
