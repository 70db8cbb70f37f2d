internal import DecantPolicies
internal import DecantSQLite
internal import DecantTransformers
internal import Foundation
internal import PredicateFormat

extension EntityShape.Stored {
  /// The value that a policy sees for a column's content.
  func value(_ column: SQLiteValue) throws -> Any? {
    let value = try self.column.value(column)
    guard let transformed, case .data(let bytes) = value else { return ValueBridge.any(of: value) }
    return try transformed.value(of: bytes)
  }

  /// The column's content for a value that a policy gives.
  func column(_ any: Any?, of entity: String, _ property: String) throws -> SQLiteValue {
    let any = ValueBridge.flattened(any)
    if let transformed, let any {
      return try fit.stored(.data(try transformed.bytes(of: any)))
    }
    guard let plain = ValueBridge.value(of: any) else {
      throw PolicyProblem.notAValue(
        entity: entity, property: property, found: any.map { "\(type(of: $0))" } ?? "nil")
    }
    return try fit.stored(plain)
  }
}
