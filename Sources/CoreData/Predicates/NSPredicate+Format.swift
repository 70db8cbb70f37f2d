public import Foundation

// Foundation on Linux has these initialisers marked as unavailable; the compiler prefers the ones here.
extension NSPredicate {
  /// A predicate of the format language (docs/predicates.md).
  ///
  /// A format that doesn't parse, where Apple's raises an exception, gives a predicate that is false for every object
  /// and ends a fetch with the place of the fault.
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
