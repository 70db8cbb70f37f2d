import PredicateFormat

/// An object with the given keys; its key “broken” throws.
struct Row: KeyValueObject {
  let label: String
  let values: [String: Value]

  init(_ label: String = "Row", _ values: [String: Value] = [:]) {
    self.label = label
    self.values = values
  }

  var identity: ObjectIdentity { .name(label) }

  func value(forKey key: String) throws -> Value? {
    if key == "broken" { throw Broken() }
    return values[key]
  }

  struct Broken: Error, CustomStringConvertible { var description: String { "the row is damaged" } }

  var asValue: Value { .object(ObjectReference(self)) }
}

/// Evaluates texts with a row as SELF.
struct Scene {
  var context = EvaluationContext()

  init(_ values: [String: Value] = [:], variables: [String: Value] = [:]) {
    context.object = Row("SELF", values).asValue
    context.variables = variables
  }

  func value(_ text: String) throws -> Value { try FormatExpression(parsing: text).value(in: context) }
  func holds(_ text: String) throws -> Bool { try FormatPredicate(parsing: text).holds(in: context) }

  /// The error message for a text, or nil if the text can be evaluated.
  func complaint(_ text: String) -> String? {
    do {
      if let predicate = try? FormatPredicate(parsing: text) {
        _ = try predicate.holds(in: context)
      } else {
        _ = try value(text)
      }
      return nil
    } catch {
      return "\(error)"
    }
  }
}
