internal import DecantModel
internal import PredicateFormat

extension MappingCheck {
  mutating func checkExpressions(of entity: EntityMapping) {
    if let source = entity.sourceExpression { refuseSource(source, of: entity) }
    if let filter = entity.filter { check(entity, .filter) { $0.look(at: filter) } }
    if let expression = entity.uniqueBy { checkUnique(expression, in: entity) }
    if case .predicates(let predicates) = entity.chunks {
      for (index, predicate) in predicates.enumerated() {
        check(entity, .chunk(index + 1)) { $0.look(at: predicate) }
      }
    }
    for row in entity.attributeMappings {
      if case .expression(let expression) = row.value {
        check(entity, .attribute(row.destinationName)) { $0.kind(of: expression) }
      }
    }
    for row in entity.relationshipMappings {
      if case .expression(let expression) = row.value {
        // A plain path leads to objects or to nothing, so only its wrong names are errors.
        let isPath = DestinationLookup(expression)?.sources.isRelationshipPath == true
        check(entity, .relationship(row.destinationName), isLenient: isPath) { $0.kind(of: expression) }
      }
    }
  }

  /// Reports a source expression that isn't a standard fetch of the source entity.
  ///
  /// The readers turn the standard fetch into a filter.
  private mutating func refuseSource(_ source: FormatExpression, of entity: EntityMapping) {
    guard let fetch = SourceFetch(source) else {
      return report(
        "its source expression “\(source)” isn't a fetch as Xcode writes it, and can't be run",
        "Remove the source expression, and say with a filter which objects are taken", in: entity)
    }
    report(
      "the source expression fetches objects of “\(fetch.entity)”, and the source of the entity mapping is "
        + (entity.sourceEntityName.map { "“\($0)”" } ?? "no entity"),
      "Name “\(fetch.entity)” as the source of the entity mapping, or fetch objects of the source", in: entity)
  }

  @discardableResult
  private mutating func check<Result>(
    _ entity: EntityMapping, _ place: ExpressionPlace, isLenient: Bool = false,
    _ look: (inout KindCheck) -> Result
  ) -> Result {
    var check = KindCheck(KindScope(self, entity, place))
    let result = look(&check)
    key = place.key
    defer { key = nil }
    for found in check.problems {
      guard var severity = severity(of: found, at: place, in: entity) else { continue }
      if isLenient, !found.isName { severity = .warning }
      report(
        place.prefix + found.problem, found.advice, severity, in: entity, property: place.property,
        subject: found.subject, focus: found.focus)
    }
    return result
  }

  private func severity(
    of problem: KindCheck.Problem, at place: ExpressionPlace, in entity: EntityMapping
  ) -> MappingFinding.Severity? {
    switch place {
    case .filter, .chunk: return problem.severity
    case .uniqueBy, .attribute, .relationship:
      if problem.isName { return problem.severity }
      switch entity.policy {
      case nil: return problem.severity
      // A class may ignore the expression, and a program doesn't get it.
      case .className?: return .warning
      case .program?: return nil
      }
    }
  }

  func kind(of expression: FormatExpression, _ place: ExpressionPlace, in entity: EntityMapping)
    -> ExpressionKind
  {
    var check = KindCheck(KindScope(self, entity, place))
    return check.kind(of: expression)
  }

  func sourceAttribute(
    _ path: FormatExpression, in entity: EntityMapping
  ) -> (attribute: Attribute, owner: String)? {
    var check = KindCheck(KindScope(self, entity, .uniqueBy))
    return check.attribute(atEndOf: path)
  }

  /// Whether an entity mapping makes no object if a path from `$source` gives nil: `uniqueBy` gives nil then, or the
  /// filter doesn't hold.
  func leavesOut(nilOf keys: [String], in entity: EntityMapping) -> Bool {
    func check(_ place: ExpressionPlace) -> KindCheck {
      var scope = KindScope(self, entity, place)
      // In a filter, keys without an object are those of the source object.
      scope.nils = [.variable("source"), .selfObject].map { .path(from: $0, keys.map { .key($0) }) }
      return KindCheck(scope)
    }
    var (filter, unique) = (check(.filter), check(.uniqueBy))
    return entity.uniqueBy.map { unique.kind(of: $0) == .null } == true
      || entity.filter.map { filter.look(at: $0) == false } == true
  }

  // MARK: uniqueBy

  /// Reports objects and collections, which `uniqueBy` doesn't accept.
  private mutating func checkUnique(_ expression: FormatExpression, in entity: EntityMapping) {
    let kind = check(entity, .uniqueBy) { $0.kind(of: expression) }
    let wrong = kind.alternatives.filter { $0.isNoPlainValue }
    guard let first = wrong.first, !entity.isLeftToProgram else { return }
    key = ExpressionPlace.uniqueBy.key
    defer { key = nil }
    let isCertain = wrong.count == kind.alternatives.count && entity.policy == nil
    report(
      "uniqueBy: “\(expression)” \(wrong.count == kind.alternatives.count ? "gives" : "may give") \(first.words), where "
        + "one plain value is wanted",
      first.members == nil
        ? "Go on to an attribute that tells the objects apart"
        : "Make one value of the members, for instance with join() or @max",
      isCertain ? .error : .warning, in: entity)
  }
}

extension ExpressionKind {
  /// Whether no value of this kind can be stored in an attribute or be a value of `uniqueBy`.
  var isNoPlainValue: Bool {
    switch self {
    case .unknown, .null, .value: false
    case .object, .service, .collection, .list: true
    case .constant(let value): ValueSort(value) == nil
    case .oneOf(let kinds): kinds.allSatisfy(\.isNoPlainValue)
    }
  }
}

extension FormatExpression {
  /// Whether the expression is a path of keys from `$source`.
  ///
  /// The path may have distinct unions, because linking the same object twice has the effect of linking it once.
  fileprivate var isRelationshipPath: Bool {
    guard case .keyPath(let path) = self, path.operand == .variable("source") else { return false }
    return path.steps.allSatisfy { step in
      switch step {
      case .key, .collection(.distinctUnionOfSets), .collection(.distinctUnionOfArrays),
        .collection(.distinctUnionOfObjects):
        true
      default: false
      }
    }
  }
}

extension EntityMapping {
  /// Whether a policy program makes the objects.
  ///
  /// A program doesn't get the rows for properties.
  var isLeftToProgram: Bool { if case .program? = policy { true } else { false } }
}
