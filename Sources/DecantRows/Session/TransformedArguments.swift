internal import DecantModel
internal import PredicateFormat

/// An expression whose messages have transformable attributes of the source object as arguments.
///
/// Expressions see the bytes of such attributes. A policy's method gets the object, as in Core Data. So only these
/// arguments become variables.
struct TransformedArguments {
  /// The expression with the variables.
  let expression: FormatExpression
  private let names: Set<String>

  init(_ expression: FormatExpression, of entity: String, in model: ManagedObjectModel) {
    var marked = expression
    var names: Set<String> = []
    // Changing an inner message changes the outer message, too, so the search starts again after each change.
    while let (message, selector, arguments) = Self.message(in: marked, of: entity, in: model),
      case .message(let target, _, _) = message
    {
      let variables = arguments.map { argument -> FormatExpression in
        guard let name = Self.name(argument, of: entity, in: model) else { return argument }
        names.insert(name)
        return .variable(Self.variable(name))
      }
      marked = marked.replacing(message, with: .message(target, selector: selector, variables))
    }
    self.expression = marked
    self.names = names
  }

  private static func message(
    in expression: FormatExpression, of entity: String, in model: ManagedObjectModel
  ) -> (FormatExpression, selector: String, arguments: [FormatExpression])? {
    var found: (FormatExpression, selector: String, arguments: [FormatExpression])?
    expression.visit { part in
      guard found == nil, case .message(_, let selector, let arguments) = part,
        arguments.contains(where: { name($0, of: entity, in: model) != nil })
      else { return }
      found = (part, selector, arguments)
    }
    return found
  }

  /// The name of an attribute's variable, which no text of an expression can contain.
  private static func variable(_ name: String) -> String { "transformable \(name)" }

  func variables(of row: any KeyValueObject) -> [String: Value] {
    var variables: [String: Value] = [:]
    for name in names {
      variables[Self.variable(name)] = .object(ObjectReference(TransformedArgument(name, of: row)))
    }
    return variables
  }

  /// The name of the transformable attribute, if the expression is only its key path; `nil` for any other expression.
  static func name(
    _ expression: FormatExpression, of entity: String, in model: ManagedObjectModel
  ) -> String? {
    guard case .keyPath(let path) = expression, path.steps.count == 1, case .key(let name)? = path.steps.first,
      path.operand == .selfObject || path.operand == .variable("source"),
      model.attribute(name, of: entity)?.type == .transformable
    else { return nil }
    return name
  }
}

/// A transformable attribute of a row, as the argument of a message.
final class TransformedArgument: KeyValueObject {
  let name: String
  private let row: any KeyValueObject

  init(_ name: String, of row: any KeyValueObject) {
    self.name = name
    self.row = row
  }

  static func within(_ value: Value) -> TransformedArgument? {
    guard case .object(let reference) = value else { return nil }
    return reference.object as? TransformedArgument
  }

  func bytes() throws -> Value { try row.value(forKey: name) ?? .null }

  var identity: ObjectIdentity { .reference(ObjectIdentifier(self)) }
  var label: String { "\(row.label).\(name)" }

  func value(forKey key: String) throws -> Value? { nil }
}

/// A method's result that isn't a value of the expression language, for a transformable attribute.
///
/// `@unchecked Sendable`: expressions are evaluated on the step's own queue, where the value lives.
final class MethodResult: KeyValueObject, @unchecked Sendable {
  let value: Any
  private let selector: String

  init(_ value: Any, of selector: String) {
    self.value = value
    self.selector = selector
  }

  static func within(_ value: Value) -> MethodResult? {
    guard case .object(let reference) = value else { return nil }
    return reference.object as? MethodResult
  }

  var label: String { "the result of “\(selector)”" }

  func value(forKey key: String) throws -> Value? { nil }

  /// The error if such a result is for an attribute that isn't transformable.
  var problem: RowProblem { RowProblem(reason: "“\(selector)” gave \(type(of: value)), which isn't a value") }
}
