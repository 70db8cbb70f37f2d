internal import DecantModel
internal import PredicateFormat

extension KindCheck {
  mutating func key(_ key: String, of kind: ExpressionKind, in path: PredicateFormat.KeyPath) -> ExpressionKind
  {
    switch kind {
    case .unknown:
      note(Read(key: key, entities: scope.sourceEntities(of: kind), isOwn: false))
      return .unknown
    case .null: return .null
    case .object(let entity, let side, let isExact):
      return property(key, of: entity, side, isExact: isExact, in: path)
    case .service(let service): return self.key(key, of: service, in: path)
    case .oneOf(let kinds): return self.key(key, ofOneOf: kinds, in: path)
    case .collection(let member, _):
      let inner = self.key(key, of: member, in: path)
      return .collection(of: inner.one, isOrdered: true)
    case .list(let members):
      return .list(
        members.flatMap { member in
          let inner = self.key(key, of: member, in: path)
          return inner.members ?? [inner]
        })
    case .value(let sort):
      return plain(key, of: sort.sample, in: path).flatMap(ValueSort.init).map(ExpressionKind.value) ?? .unknown
    case .constant(let value):
      if let members = value.members {
        return self.key(key, of: .list(members.map(ExpressionKind.init)), in: path)
      }
      return plain(key, of: value, in: path).map(ExpressionKind.init) ?? .unknown
    }
  }

  /// If at least one of the kinds has the key, the problems with the other kinds are only warnings.
  private mutating func key(
    _ key: String, ofOneOf kinds: [ExpressionKind], in path: PredicateFormat.KeyPath
  ) -> ExpressionKind {
    var found: [ExpressionKind] = []
    var lacking: [Problem] = []
    for kind in kinds {
      var own = KindCheck(scope)
      let value = own.key(key, of: kind, in: path)
      own.reads.forEach { note($0) }
      if own.problems.contains(where: { $0.severity == .error }) {
        lacking += own.problems
      } else {
        own.problems.forEach { note($0) }
        found.append(value)
      }
    }
    for var problem in lacking {
      if !found.isEmpty { problem.severity = .warning }
      note(problem)
    }
    return found.isEmpty ? .unknown : .either(found)
  }

  /// The value of a built-in key of a plain value, such as a string or a date.
  private mutating func plain(_ key: String, of value: Value, in path: PredicateFormat.KeyPath) -> Value? {
    do throws(EvaluationError) {
      return try FormatExpression.path(from: .constant(value), [.key(key)]).value(in: Self.context)
    } catch {
      guard case .unknownKey = error.reason else { return nil }
      let known = PlainKeys.names(of: value)
      refuse(
        FormatExpression.keyPath(path), "\(error.reason)",
        hint(
          key, known,
          otherwise: known.isEmpty ? "Correct the path" : "Its keys are: \(known.joined(separator: ", "))"),
        focus: key)
      return nil
    }
  }

  private mutating func key(
    _ key: String, of service: MigrationService, in path: PredicateFormat.KeyPath
  ) -> ExpressionKind {
    let mapping = scope.entity
    let keys: [String: Value] =
      service != .entityMapping
      ? [:]
      : [
        "name": .string(mapping.name), "sourceEntityName": mapping.sourceEntityName.map(Value.string) ?? .null,
        "destinationEntityName": mapping.destinationEntityName.map(Value.string) ?? .null,
        "userInfo": .dictionary(mapping.userInfo.mapValues(Value.string)),
      ]
    if let value = keys[key] { return ExpressionKind(value) }
    let known = keys.keys.sorted(by: NameOrder.codePoints)
    return refuse(
      FormatExpression.keyPath(path), "\(service.variable) has no key “\(key)”",
      known.isEmpty
        ? "It answers only calls, as in FUNCTION(\(service.variable), …)"
        : hint(key, known, otherwise: "Its keys are: \(known.joined(separator: ", "))"), focus: key)
  }

  // MARK: Properties

  private mutating func property(
    _ key: String, of entity: String, _ side: ExpressionKind.Side, isExact: Bool,
    in path: PredicateFormat.KeyPath
  ) -> ExpressionKind {
    let model = scope.model(side)
    let entities = scope.entities(entity, side, isExact: isExact)
    if side == .source { note(Read(key: key, entities: entities, isOwn: isExact)) }
    var kinds: [ExpressionKind] = []
    var lacking: [String] = []
    for name in entities {
      if let relationship = model.relationship(key, of: name) {
        kinds.append(kind(of: relationship, side))
      } else if let attribute = model.attribute(key, of: name) {
        kinds.append(kind(of: attribute, key, side, path))
      } else if !model.elements(ofComposite: key, of: name).isEmpty {
        kinds.append(.value(.composite))
      } else if model.entity(named: name)?.isAbstract != true || isExact {
        lacking.append(name)
      }
    }
    guard kinds.isEmpty else {
      let shown = lacking.sorted(by: NameOrder.codePoints)
      if !shown.isEmpty {
        refuse(
          FormatExpression.keyPath(path),
          "among “\(entity)” and its subentities, \(Self.list(shown)) \(shown.count == 1 ? "has" : "have") no property “\(key)”",
          "Take a property that all of them have", isCertain: false, focus: key)
      }
      return .either(kinds)
    }
    if entities.contains(where: { hasFetchedProperty(key, $0, model) }) {
      return refuse(
        FormatExpression.keyPath(path), "“\(key)” is a fetched property, and a migration fetches nothing",
        "Take a path over relationships", focus: key)
    }
    let known = model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
    return misname(
      "the \(side.rawValue) entity “\(entity)”\(scope.version(side)) has no property “\(key)”",
      hint(
        key, known,
        otherwise: known.isEmpty ? "Correct the expression" : "Its properties are: \(NearName.list(known))"),
      focus: key)
  }

  /// The attribute at the end of a plain path over to-one relationships from `$source`, and the entity that the path
  /// leads to.
  mutating func attribute(atEndOf expression: FormatExpression) -> (attribute: Attribute, owner: String)? {
    guard let keys = expression.sourceKeys, let key = keys.last,
      case .object(let owner, .source, let isExact) = kind(
        of: .path(from: .variable("source"), keys.dropLast().map { .key($0) }))
    else { return nil }
    return scope.entities(owner, .source, isExact: isExact)
      .compactMap { scope.check.source.attribute(key, of: $0) }.first.map { ($0, owner) }
  }

  func isComposite(_ key: String, of kind: ExpressionKind) -> Bool {
    guard case .object(let entity, let side, let isExact) = kind else { return false }
    let model = scope.model(side)
    return scope.entities(entity, side, isExact: isExact).contains {
      !model.elements(ofComposite: key, of: $0).isEmpty
    }
  }

  private static func list(_ names: [String]) -> String {
    listed(Array(names.prefix(3)))
      + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  private func hasFetchedProperty(_ name: String, _ entity: String, _ model: ManagedObjectModel) -> Bool {
    model.chain(of: entity).contains { $0.fetchedProperties.contains { $0.name == name } }
  }

  private func kind(of relationship: Relationship, _ side: ExpressionKind.Side) -> ExpressionKind {
    let target = ExpressionKind.object(
      entity: relationship.destinationEntityName, side: side, isExact: false)
    if relationship.isTransient, side == .source, !relationship.isToMany { return .null }
    return relationship.isToMany ? .collection(of: target, isOrdered: relationship.isOrdered) : target
  }

  private mutating func kind(
    of attribute: Attribute, _ key: String, _ side: ExpressionKind.Side, _ path: PredicateFormat.KeyPath
  ) -> ExpressionKind {
    guard !attribute.isTransient else {
      guard side == .source else { return .unknown }
      note(
        Problem(
          severity: .warning,
          problem: "the source attribute “\(key)” is transient, and stores hold no values of it",
          advice: "Take the value from a stored attribute", isName: true, focus: key))
      return .null
    }
    return ValueSort(attribute.type).map(ExpressionKind.value) ?? .unknown
  }
}
