// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names that this module doesn't have. For each one, the compiler prints a message that says what to do
// instead. docs/what-is-missing.md lists these names.

public import Foundation

extension NSExpression {
  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var expressionType: Int { 0 }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var constantValue: Any? { nil }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var keyPath: String { "" }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var function: String { "" }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var variable: String { "" }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var operand: NSExpression { self }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var arguments: [NSExpression]? { nil }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var collection: Any? { nil }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var predicate: NSPredicate { NSPredicate(value: false) }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var left: NSExpression { self }

  @available(
    *, unavailable, message: "use description, or keep the expression's parts yourself"
  )
  public var right: NSExpression { self }

  @available(*, unavailable, message: "an expression for any key can't be evaluated here")
  public class func expressionForAnyKey() -> NSExpression? { nil }

  @available(*, unavailable, message: "compute the value in a policy")
  public convenience init(block: (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
    self.init(forConstantValue: nil)
  }

  @available(*, unavailable, message: "write the expression as a format: NSExpression(format:)")
  public convenience init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: Any
  ) { self.init(forConstantValue: nil) }

  @available(*, unavailable, message: "write the expression as a format: NSExpression(format:)")
  public convenience init(forAggregate subexpressions: [Any]) { self.init(forConstantValue: nil) }

  @available(*, unavailable, message: "write the expression as a format: NSExpression(format:)")
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(forConstantValue: nil)
  }

  @available(*, unavailable, message: "write the expression as a format: NSExpression(format:)")
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(forConstantValue: nil)
  }

  @available(*, unavailable, message: "write the expression as a format: NSExpression(format:)")
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(forConstantValue: nil)
  }

  @available(*, unavailable, message: "write the expression as a format: NSExpression(format:)")
  public convenience init(
    forConditional predicate: Any, trueExpression: NSExpression, falseExpression: NSExpression
  ) { self.init(forConstantValue: nil) }

  @available(*, unavailable, message: "write the expression as a format: NSExpression(format:)")
  public convenience init(
    forFunction target: NSExpression, selectorName name: String, arguments: [Any]?
  ) { self.init(forConstantValue: nil) }
}
