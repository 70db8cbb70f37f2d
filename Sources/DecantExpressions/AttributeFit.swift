package import DecantModel
package import DecantSQLite
internal import Foundation
package import PredicateFormat

/// The form in which a destination attribute stores an expression's value (docs/formats/core-data-sqlite.md 7.1).
///
/// Numbers convert as in NSNumber, but a number outside the attribute's range is an error; NSNumber would keep some of
/// its bits. Numbers, strings, dates, UUIDs, URLs and data don't convert into each other, as in Core Data. Bytes for a
/// transformable attribute are taken as the output of its transformer. nil stays nil, also for a required attribute,
/// because validation checks required attributes.
package final class AttributeFit: Sendable {
  let attribute: Attribute
  let entity: String
  private let content: AttributeContent?

  package init(_ attribute: Attribute, entity: String) {
    self.attribute = attribute
    self.entity = entity
    content = attribute.type.content
  }

  /// The stored form of a value.
  package func stored(_ value: Value) throws(ValueMisfit) -> SQLiteValue {
    if value.isNull { return .null }
    switch (content, value) {
    case (.string, .string(let text)), (.url, .url(let text)): return .text(text)
    case (.date, .date(let seconds)): return seconds.isNaN ? .null : .real(seconds)
    case (.uuid, .uuid(let uuid)): return .blob(UUIDColumn.data(uuid))
    case (.data, .data(let data)):
      return .blob(attribute.allowsExternalBinaryDataStorage ? [1] + data : data)
    case (nil, _): throw misfit(value, .noStorage)
    case (_, .boolean), (_, .integer), (_, .double), (_, .decimal): return try number(value)
    default: throw misfit(value, .otherKind)
    }
  }

  private func number(_ value: Value) throws(ValueMisfit) -> SQLiteValue {
    guard let double = Self.double(value) else { return .null }
    switch content {
    case .integer(let range):
      guard let whole = Self.whole(value), range.contains(whole) else { throw misfit(value, .noRoom) }
      return .integer(whole)
    case .boolean: return .integer(double == 0 ? 0 : 1)
    case .real(isSingle: false): return .real(double)
    case .real:
      let single = Float(double)
      guard single.isFinite || !double.isFinite else { throw misfit(value, .noRoom) }
      return .real(Double(single))
    case .decimal:
      switch value {
      case .decimal(let number): return DecimalColumn.stored(number)
      case .double:
        guard double.magnitude < 1e127 else { throw misfit(value, .noRoom) }
        return .real(double)
      default: return .integer(Self.whole(value) ?? 0)
      }
    default: throw misfit(value, .otherKind)
    }
  }

  /// The number; `nil` for NaN, because NaN means nil.
  private static func double(_ value: Value) -> Double? {
    switch value {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): Double(number)
    case .double(let number): number.isNaN ? nil : number
    case .decimal(let number): Double(DecimalColumn.text(number)).flatMap { $0.isNaN ? nil : $0 }
    default: nil
    }
  }

  private static func whole(_ value: Value) -> Int64? {
    switch value {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): number
    case .double(let number): Int64(exactly: number.rounded(.towardZero))
    case .decimal(let number): Int64(DecimalColumn.text(number).prefix { $0 != "." })
    default: nil
    }
  }

  private func misfit(_ value: Value, _ reason: ValueMisfit.Reason) -> ValueMisfit {
    ValueMisfit(
      entity: entity, attribute: attribute.name, type: attribute.type, found: value.kind, reason: reason)
  }
}
