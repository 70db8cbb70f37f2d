public import Foundation

// Foundation on Linux marks these initialisers as unavailable. The compiler prefers the ones here.
extension NSPredicate {
  /// A predicate of the format language (docs/predicates.md).
  ///
  /// Apple raises an exception if the format can't be parsed. Here such a predicate is false for every object, and a
  /// fetch with it throws an error that states the position. The same holds if an argument can't be used.
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(format, arguments)
  }

  public convenience init(format: String, argumentArray: [Any]?) {
    self.init(format, argumentArray ?? [])
  }

  private convenience init(_ format: String, _ arguments: [Any?]) {
    if let made = FormattedPredicate(format, arguments) as? Self {
      self.init(made: made)
    } else {
      self.init(value: false)
    }
  }
}
