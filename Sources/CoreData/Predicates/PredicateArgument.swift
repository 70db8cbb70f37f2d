internal import DecantPolicies
internal import Foundation
internal import PredicateFormat

enum PredicateArgument {
  static func value(of any: Any?) throws -> Value {
    if let value = EngineValue.value(of: any) { return value }
    throw CoreDataError(
      NSCoreDataError,
      "an argument is \(any.map { "of type \(type(of: $0))" } ?? "nil"), which can't be used in a predicate; give a value of "
        + "a type that an attribute can have, an object, or a list of these")
  }

  static func lenient(_ any: Any?) -> Value { EngineValue.value(of: any) ?? .null }
}
