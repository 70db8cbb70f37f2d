public import CoreDataExpressions
public import DecantPolicies

extension MigrationPropertyMapping {
  /// The expression of the property's value; nil if the property keeps its default.
  public var valueExpression: NSExpression? { expression.map(NSExpression.init) }
}
