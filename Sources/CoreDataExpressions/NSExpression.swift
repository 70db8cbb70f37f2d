package import DecantPolicies
public import Foundation
package import PredicateFormat

/// An expression of the format language (docs/predicates.md), in place of Foundation's class.
///
/// Foundation's class does nothing on Linux.
///
/// This class is alone in its module: `CoreData` re-exports it by its name. So a file that imports `CoreData` and
/// Foundation gets this class.
///
/// An expression that doesn't parse or can't be evaluated gives nil. In a migration, both errors also end the migration
/// if the context has a manager. Without a manager, only an error of the evaluation ends the migration, and only if the
/// call has a managed object of the migration.
public final class NSExpression: NSObject {
  private let expression: FormatExpression?
  private let text: String
  private let problem: String

  package init(_ expression: FormatExpression) {
    self.expression = expression
    text = "\(expression)"
    problem = ""
  }

  public init(format: String, argumentArray: [Any]) {
    text = format
    var parsed: FormatExpression?
    var reason = ""
    do {
      parsed = try FormatExpression(parsing: format, arguments: argumentArray.map(Self.value))
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
    self.init(FormatExpression.literal(EngineValue.value(of: value) ?? .null))
  }

  public convenience init(forFunction name: String, arguments: [Any]) {
    let parts = arguments.map {
      ($0 as? NSExpression)?.expression ?? .constant(EngineValue.value(of: $0) ?? .null)
    }
    self.init(FormatExpression.call(name, parts))
  }

  public static func expressionForEvaluatedObject() -> NSExpression { NSExpression(.selfObject) }

  /// The expression in the engine's form.
  ///
  /// - Throws: `PolicyProblem.unusableExpression` with the position of the error if the format doesn't parse.
  package func parsed() throws(PolicyProblem) -> FormatExpression {
    guard let expression else { throw .unusableExpression(text, problem: problem) }
    return expression
  }

  private static func value(of any: Any) throws -> Value {
    guard let value = EngineValue.value(of: any) else {
      throw PolicyProblem.unusableArgument("\(type(of: any))")
    }
    return value
  }

  /// The value of the expression.
  ///
  /// - Parameters:
  ///   - object: The value of `SELF`.
  ///   - context: The variables by name, such as `NSMigrationSourceObjectKey`. Messages and look-ups work only if the
  ///     context has a manager (`NSMigrationManagerKey`), and if `object` or the context's source object is a managed
  ///     object.
  public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    var variables: [String: Any] = [:]
    for case (let name as String, let value) in context ?? NSMutableDictionary() { variables[name] = value }
    // MigrationKeys.swift in the module CoreData has the names of the variables.
    let manager = variables["manager"] as? MigrationManager
    do throws(PolicyProblem) {
      return EngineValue.result(
        of: try parsed(), object: object, source: variables["source"] as? ManagedObject,
        destination: variables["destination"] as? ManagedObject, variables: variables, manager: manager)
    } catch {
      manager?.destinationContext.note(error)
      return nil
    }
  }

  public override var description: String { text }

  public override var hash: Int { expression?.hashValue ?? text.hashValue }
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSExpression else { return false }
    return self === other || (expression != nil && expression == other.expression)
  }
}
