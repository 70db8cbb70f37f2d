internal import DecantMigration
internal import Foundation
internal import PredicateFormat

/// What callers put into predicates and expressions, as the language's values.
enum PredicateArgument {
  /// - Throws: `CoreDataError` for what is no value of the language.
  static func value(of any: Any?) throws -> Value {
    if let value = EngineValue.value(of: any) { return value }
    throw CoreDataError(
      NSCoreDataError,
      "an argument is \(any.map { "of type \(type(of: $0))" } ?? "nil"), which has no place in a predicate")
  }

  /// nil for what is no value.
  static func lenient(_ any: Any?) -> Value { EngineValue.value(of: any) ?? .null }
}
