/// What a model says where a value breaks a rule (docs/formats/model-files.md 4.4).
public enum ValidationWarning: Sendable, Hashable {
  /// One of Core Data's validation error codes, or the application's own.
  case code(Int)
  /// Words of the model's author.
  case message(String)
}

/// A validation predicate that is no limit.
public struct ValidationPredicate: Sendable, Hashable {
  /// The predicate in format text; the value is its `SELF`.
  public var format: String
  /// `nil` where the model says nothing.
  public var warning: ValidationWarning?

  public init(format: String, warning: ValidationWarning? = nil) {
    self.format = format
    self.warning = warning
  }
}
