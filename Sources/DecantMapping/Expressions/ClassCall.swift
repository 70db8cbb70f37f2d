public import PredicateFormat

/// A call of a function of an application's class: `FUNCTION(CAST('Dates', 'Class'), 'text:', $source.when)`
/// (docs/formats/mapping-models.md 4.2).
public struct ClassCall: Sendable, Hashable {
  public var className: String
  public var selector: String

  /// Extracts the parts of an expression that is such a call; `nil` for any other.
  public init?(_ expression: FormatExpression) {
    guard case .message(let target, let selector, _) = expression else { return nil }
    switch target {
    case .constant(.className(let name)), .cast(.constant(.string(let name)), "Class"):
      (className, self.selector) = (name, selector)
    default: return nil
    }
  }
}

extension EntityMapping {
  /// All different calls of functions of the application's classes, in order of appearance.
  public var classCalls: [ClassCall] {
    var calls: [ClassCall] = []
    func look(_ expression: FormatExpression) {
      if let call = ClassCall(expression), !calls.contains(call) { calls.append(call) }
    }
    filter?.visit(look)
    uniqueBy?.visit(look)
    if case .predicates(let predicates) = chunks { predicates.forEach { $0.visit(look) } }
    for case .expression(let expression) in attributeMappings.map(\.value) { expression.visit(look) }
    for case .expression(let expression) in relationshipMappings.map(\.value) { expression.visit(look) }
    return calls
  }
}
