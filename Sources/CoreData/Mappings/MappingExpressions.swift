public import CoreDataExpressions
public import DecantPolicies

extension MigrationPropertyMapping {
  /// The expression of the property's value; nil if the property keeps its default, is computed, or stays empty.
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
  /// The expression that fetches the source objects.
  ///
  /// In Xcode's mapping models, it calls `fetchRequestForSourceEntityNamed:predicateString:`.
  ///
  /// If it is set to nil, the mapping takes all objects of the source entity. Core Data would take none. If the
  /// expression can't be parsed, `migrateStore` throws the reason.
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
