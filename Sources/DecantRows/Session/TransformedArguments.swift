internal import DecantModel
internal import PredicateFormat

/// The arguments of an expression's messages that are transformable attributes of the source object.
///
/// Expressions see the bytes of such attributes. A policy's method is given the object, as in Core Data.
struct TransformedArguments {
  private let entity: String
  private var names: [String: [Int: String]] = [:]

  init(_ expression: FormatExpression, of entity: String, in model: ManagedObjectModel) {
    self.entity = entity
    expression.visit { part in
      guard case .message(_, let selector, let arguments) = part else { return }
      for (index, argument) in arguments.enumerated() {
        names[selector, default: [:]][index] = Self.name(argument, of: entity, in: model)
      }
    }
  }

  /// The transformable attribute that an expression is; `nil` for any other expression.
  static func name(
    _ expression: FormatExpression, of entity: String, in model: ManagedObjectModel
  ) -> String? {
    guard case .keyPath(let path) = expression, path.steps.count == 1, case .key(let name)? = path.steps.first,
      path.operand == .selfObject || path.operand == .variable("source"),
      model.attribute(name, of: entity)?.type == .transformable
    else { return nil }
    return name
  }

  /// The value of an argument for a method; `nil` if the argument is none of these.
  func object(_ value: Value, _ index: Int, of selector: String, _ transformed: TransformedAttributes) throws
    -> (value: Any?, isFound: Bool)
  {
    guard let name = names[selector]?[index] else { return (nil, false) }
    return (try transformed.any(of: value, name, of: entity), true)
  }
}

/// A method's result that is no value of the language: the value of a transformable attribute.
///
/// `@unchecked Sendable`: expressions are evaluated on the step's own queue, where the value lives.
final class MethodResult: KeyValueObject, @unchecked Sendable {
  let value: Any
  private let selector: String

  init(_ value: Any, of selector: String) {
    self.value = value
    self.selector = selector
  }

  /// The result in a value; `nil` for any other value.
  static func within(_ value: Value) -> MethodResult? {
    guard case .object(let reference) = value else { return nil }
    return reference.object as? MethodResult
  }

  var label: String { "the result of “\(selector)”" }

  func value(forKey key: String) throws -> Value? { nil }

  /// The problem of an attribute that isn't transformable.
  var problem: RowProblem { RowProblem(reason: "“\(selector)” gave \(type(of: value)), which is no value") }
}
