public import PredicateFormat

/// The expression with which a mapping model fetches source objects (docs/formats/mapping-models.md 3.1):
/// `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Person", "TRUEPREDICATE"),
/// $manager.sourceContext, NO)`.
public struct SourceFetch: Sendable, Hashable {
  static let selector = "fetchRequestForSourceEntityNamed:predicateString:"

  public var entity: String
  /// The predicate's text in the expression.
  public var predicate: String

  public init(entity: String, predicate: String = "TRUEPREDICATE") {
    self.entity = entity
    self.predicate = predicate
  }

  /// Extracts the parts of an expression of exactly this form; `nil` for any other.
  public init?(_ expression: FormatExpression) {
    guard case .fetch(let request, let context, false) = expression, context == Self.context,
      case .message(.variable("manager"), Self.selector, let arguments) = request, arguments.count == 2,
      case .constant(.string(let entity)) = arguments[0], case .constant(.string(let predicate)) = arguments[1]
    else { return nil }
    self.init(entity: entity, predicate: predicate)
  }

  public var expression: FormatExpression {
    .fetch(
      .message(
        .variable("manager"), selector: Self.selector,
        [.constant(.string(entity)), .constant(.string(predicate))]),
      context: Self.context, countOnly: false)
  }

  private static let context = FormatExpression.path(from: .variable("manager"), [.key("sourceContext")])
}
