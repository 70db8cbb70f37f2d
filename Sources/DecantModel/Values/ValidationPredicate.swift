/// A model's warning for a broken rule (docs/formats/model-files.md 4.4).
public enum ValidationWarning: Sendable, Hashable {
  /// One of Core Data's validation error codes, or the application's own.
  case code(Int)
  /// A text of the model's author.
  case message(String)
}

/// A validation predicate other than a limit.
public struct ValidationPredicate: Sendable, Hashable {
  /// The predicate in format text; the value is its `SELF`.
  public var format: String
  /// `nil` if the model has no warning.
  public var warning: ValidationWarning?

  public init(format: String, warning: ValidationWarning? = nil) {
    self.format = format
    self.warning = warning
  }
}
