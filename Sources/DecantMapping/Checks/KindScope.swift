internal import DecantModel
internal import PredicateFormat

/// The names that an expression can use at its place, and the calls that are possible at this place.
struct KindScope {
  let check: MappingCheck
  let entity: EntityMapping
  let place: ExpressionPlace
  /// The kind of `SELF`.
  let object: ExpressionKind
  var variables: [String: ExpressionKind]
  /// Whether calls of the manager, a policy or a class are allowed.
  let answersCalls: Bool
  /// Whether the expression is in a SUBQUERY, where keys without an object aren't reported.
  var isWithinSubquery = false
  /// Expressions that are nil in the current branch of a condition.
  var nils: [FormatExpression] = []

  init(_ check: MappingCheck, _ entity: EntityMapping, _ place: ExpressionPlace) {
    self.check = check
    self.entity = entity
    self.place = place
    let known = entity.sourceEntityName.flatMap { check.source.entity(named: $0) }
    object = known.map { .object(entity: $0.name, side: .source, isExact: true) } ?? .unknown
    variables = ["source": object]
    // Chunk predicates, and a filter beside them, are evaluated before a manager exists.
    var isBeforehand = if case .chunk = place { true } else { false }
    if case .filter = place, case .predicates = entity.chunks { isBeforehand = true }
    answersCalls = !isBeforehand
    guard !isBeforehand else { return }
    for service in [MigrationService.manager, .entityPolicy, .entityMapping] {
      variables[service.rawValue] = .service(service)
    }
    if case .relationship = place {
      variables["destination"] =
        entity.destinationEntityName.flatMap { check.destination.entity(named: $0) }
        .map { .object(entity: $0.name, side: .destination, isExact: true) } ?? .unknown
    }
  }

  func version(_ side: ExpressionKind.Side) -> String {
    let name = side == .source ? check.mapping.sourceVersion : check.mapping.destinationVersion
    return name.map { " of “\($0)”" } ?? ""
  }

  func model(_ side: ExpressionKind.Side) -> ManagedObjectModel {
    side == .source ? check.source : check.destination
  }

  /// The possible entities of source objects of a single kind.
  func sourceEntities(of kind: ExpressionKind) -> [String] {
    switch kind {
    case .unknown: check.source.entities.map(\.name)
    case .object(let entity, .source, let isExact): entities(entity, .source, isExact: isExact)
    default: []
    }
  }

  func entities(_ entity: String, _ side: ExpressionKind.Side, isExact: Bool) -> [String] {
    isExact ? [entity] : model(side).family(of: entity).map(\.name)
  }

  /// Whether an expression is known to be nil at this place.
  ///
  /// A path is nil, too, if its beginning is known to be nil.
  func isNil(_ expression: FormatExpression) -> Bool {
    if nils.isEmpty { return false }
    if nils.contains(expression) { return true }
    guard case .keyPath(let path) = expression else { return false }
    return nils.contains { other in
      guard case .keyPath(let known) = other else { return false }
      return known.operand == path.operand && path.steps.starts(with: known.steps)
    }
  }
}

extension FormatPredicate {
  /// The expressions that are certainly nil if the result of this condition is `holds`.
  func nils(where holds: Bool) -> [FormatExpression] {
    switch self {
    case .always, .never: return []
    case .not(let inner): return inner.nils(where: !holds)
    case .and(let parts): return holds ? parts.flatMap { $0.nils(where: true) } : []
    case .or(let parts): return holds ? [] : parts.flatMap { $0.nils(where: false) }
    case .comparison(let comparison):
      guard comparison.modifier == .direct, comparison.operation == (holds ? .equal : .notEqual) else {
        return []
      }
      if comparison.right == .constant(.null) { return [comparison.left] }
      return comparison.left == .constant(.null) ? [comparison.right] : []
    }
  }
}
