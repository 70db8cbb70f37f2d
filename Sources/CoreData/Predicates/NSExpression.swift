public import DecantPolicies
public import Foundation
internal import PredicateFormat

/// An expression of the format language (docs/predicates.md), in place of Foundation's, which does nothing on Linux.
///
/// An expression that doesn't parse or can't be evaluated gives nil. If this happens in a migration, the migration
/// ends.
public final class NSExpression: NSObject {
  private let expression: FormatExpression?
  private let text: String
  private let problem: String

  init(_ expression: FormatExpression) {
    self.expression = expression
    text = "\(expression)"
    problem = ""
  }

  public init(format: String, argumentArray: [Any]) {
    text = format
    var parsed: FormatExpression?
    var reason = ""
    do {
      parsed = try FormatExpression(parsing: format, arguments: argumentArray.map(PredicateArgument.value))
    } catch {
      reason = "\(error)"
    }
    expression = parsed
    problem = reason
  }

  public convenience init(format: String, _ arguments: Any...) {
    self.init(format: format, argumentArray: arguments)
  }

  public convenience init(forKeyPath path: String) { self.init(format: "%K", argumentArray: [path]) }

  public convenience init(forVariable name: String) { self.init(FormatExpression.variable(name)) }

  public convenience init(forConstantValue value: Any?) {
    self.init(FormatExpression.literal(PredicateArgument.lenient(value)))
  }

  public convenience init(forFunction name: String, arguments: [Any]) {
    let parts = arguments.map { ($0 as? NSExpression)?.expression ?? .constant(PredicateArgument.lenient($0)) }
    self.init(FormatExpression.call(name, parts))
  }

  public static func expressionForEvaluatedObject() -> NSExpression { NSExpression(.selfObject) }

  /// The value of the expression.
  ///
  /// - Parameters:
  ///   - object: The value of `SELF`.
  ///   - context: The variables by name, such as `NSMigrationSourceObjectKey`. Messages and look-ups work if it has a
  ///     manager (`NSMigrationManagerKey`), or if either parameter has a source object.
  public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    var variables: [String: Any] = [:]
    for case (let name as String, let value) in context ?? NSMutableDictionary() { variables[name] = value }
    let manager = variables[NSMigrationManagerKey] as? MigrationManager
    guard let expression else {
      manager?.destinationContext.note(
        CoreDataError(NSCoreDataError, "the expression “\(text)” can't be used: \(problem)"))
      return nil
    }
    return EngineValue.result(
      of: expression, object: object, source: variables[NSMigrationSourceObjectKey] as? ManagedObject,
      destination: variables[NSMigrationDestinationObjectKey] as? ManagedObject, variables: variables,
      manager: manager)
  }

  public override var description: String { text }
}

extension MigrationPropertyMapping {
  /// The expression of the property's value; nil if the property keeps its default.
  public var valueExpression: NSExpression? { expression.map(NSExpression.init) }
}
