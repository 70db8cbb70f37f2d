internal import DecantModel
public import DecantPolicies
public import Foundation

extension PropertyDescription {
  /// The predicates that a value must satisfy.
  ///
  /// `SELF` is the value. The limits of the model editor are included.
  public var validationPredicates: [NSPredicate] {
    let limits = (self as? AttributeDescription).map {
      RuleText.all(of: $0.limits, isText: $0.attributeType == .string)
    }
    return ((limits ?? []) + rules.map(\.format)).map { NSPredicate(format: $0, argumentArray: nil) }
  }

  /// Replaces the predicates that a value must satisfy, and the limits of the model editor.
  ///
  /// `SELF` is the value.
  ///
  /// - Parameter warnings: For each predicate, a text or one of Core Data's validation codes as a number.
  public func setValidationPredicates(
    _ predicates: [NSPredicate]?, withValidationWarnings warnings: [Any]?
  ) {
    (self as? AttributeDescription)?.limits = Attribute.Limits()
    rules = (predicates ?? []).enumerated().map { index, predicate in
      ValidationPredicate(
        format: RuleText.of(predicate),
        warning: Self.warning(warnings.flatMap { $0.indices.contains(index) ? $0[index] : nil }))
    }
  }

  private static func warning(_ any: Any?) -> ValidationWarning? {
    switch any {
    case let code as Int: .code(code)
    case let text as String: .message(text)
    default: nil
    }
  }
}

/// The texts of predicates in models.
enum RuleText {
  static func of(_ predicate: NSPredicate) -> String {
    (try? predicate.formatPredicate()).map { "\($0)" } ?? "\(predicate)"
  }

  static func all(of limits: Attribute.Limits, isText: Bool) -> [String] {
    let subject = isText ? "length" : "SELF"
    return [
      limits.minimum.flatMap(number).map { "\(subject) >= \($0)" },
      limits.maximum.flatMap(number).map { "\(subject) <= \($0)" },
      limits.regularExpression.map {
        "SELF MATCHES '\($0.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'"))'"
      },
    ].compactMap { $0 }
  }

  private static func number(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .date(let seconds): "CAST(\(seconds), 'NSDate')"
    case .string, .boolean, .binary, .uuid, .uri: nil
    }
  }
}
