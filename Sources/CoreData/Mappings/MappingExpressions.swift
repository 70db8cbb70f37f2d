public import CoreDataExpressions
public import DecantPolicies

extension MigrationPropertyMapping {
  /// The expression of the property's value; nil if the property keeps its default.
  ///
  /// If the expression can't be parsed, the property has no expression, and `migrateStore` throws the reason.
  public var valueExpression: NSExpression? {
    get { expression.map { NSExpression($0) } }
    set {
      do throws(PolicyProblem) {
        expression = try newValue?.parsed()
      } catch {
        refuse(error)
      }
    }
  }
}

extension MigrationEntityMapping {
  /// The expression that fetches the source objects: a call of `fetchRequestForSourceEntityNamed:predicateString:`.
  ///
  /// Without this expression, the mapping takes all objects of the source entity. Core Data would take none.
  public var sourceExpression: NSExpression? {
    get { fetch.map { NSExpression($0) } }
    set {
      do throws(PolicyProblem) {
        setFetch(try newValue?.parsed())
      } catch {
        refuseFetch(error)
      }
    }
  }
}
