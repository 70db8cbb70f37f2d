internal import DecantModel
internal import PredicateFormat

/// Tells the kinds of expressions over the source model; whatever isn't certain is unknown.
struct KindInference {
  let model: ManagedObjectModel
  /// What `SELF` is.
  var object: ExpressionKind
  var variables: [String: ExpressionKind]

  /// - Parameter selfIsSource: Whether keys without operand are those of the source object, as in filters.
  init(_ model: ManagedObjectModel, source entity: String?, selfIsSource: Bool) {
    self.model = model
    let known = entity.flatMap { model.entity(named: $0) }
    let source = known.map { ExpressionKind.object(entity: $0.name, isExact: true) } ?? .unknown
    object = selfIsSource ? source : .unknown
    variables = ["source": source]
  }

  func kind(of expression: FormatExpression) -> ExpressionKind {
    switch expression {
    case .constant(let value): ExpressionKind(value)
    case .selfObject: object
    case .variable(let name): variables[name] ?? .unknown
    case .keyPath(let path): follow(path.steps[...], from: kind(of: path.operand))
    case .function("noindex:", let arguments): arguments.first.map(kind) ?? .unknown
    case .function, .cast: ValueSort(expression).map(ExpressionKind.value) ?? .unknown
    case .ternary(_, let positive, let negative): shared(kind(of: positive), kind(of: negative))
    case .subquery(let collection, _, _): selected(from: kind(of: collection))
    case .aggregate(let members): .list(members.map(kind))
    case .message, .fetch, .set, .assignment, .anyKey: .unknown
    }
  }

  /// The scope of a SUBQUERY's predicate; a key without operand may be meant as the member's.
  func within(_ collection: FormatExpression, as variable: String) -> KindInference {
    var inner = self
    inner.object = .unknown
    inner.variables[variable] = .unknown
    if case .collection(let member, _) = kind(of: collection) { inner.variables[variable] = member }
    return inner
  }

  private func selected(from kind: ExpressionKind) -> ExpressionKind {
    guard case .collection(let member, _) = kind else { return .unknown }
    return .collection(of: member, isOrdered: true)
  }

  /// The kind that both branches have.
  private func shared(_ one: ExpressionKind, _ other: ExpressionKind) -> ExpressionKind {
    if one == other { return one }
    switch (one.family, other.family) {
    case (.sort(let a), .sort(let b)): return a == b ? .value(a) : .unknown
    case (.sort(let sort), nil) where other == .null: return .value(sort)
    case (nil, .sort(let sort)) where one == .null: return .value(sort)
    default: return .unknown
    }
  }

  // MARK: Paths

  private func follow(_ steps: ArraySlice<KeyPath.Step>, from start: ExpressionKind) -> ExpressionKind {
    var current = start
    for (place, step) in zip(steps.indices, steps) {
      switch step {
      case .key(let key): current = self.key(key, of: current)
      case .collection(.count), .size: current = .value(.number)
      case .collection(.sum), .collection(.average):
        // The operator takes what is to its right.
        let isLast = steps[steps.index(after: place)...].allSatisfy {
          if case .key = $0 { true } else { false }
        }
        return isLast ? .value(.number) : .unknown
      case .collection: return .unknown
      case .first, .last, .index:
        guard case .collection(let member, _) = current else { return .unknown }
        current = member
      }
    }
    return current
  }

  private func key(_ key: String, of kind: ExpressionKind) -> ExpressionKind {
    switch kind {
    case .object(let entity, let isExact): property(key, of: entity, isExact: isExact)
    case .collection(let member, _):
      switch self.key(key, of: member) {
      case .collection(let inner, _): .collection(of: inner, isOrdered: true)
      case let inner: .collection(of: inner, isOrdered: true)
      }
    case .value(let sort): plain(key, of: sort.sample)
    case .constant(let value): plain(key, of: value)
    case .unknown, .null, .list: .unknown
    }
  }

  /// A key that a string, a number or a date has of itself.
  private func plain(_ key: String, of value: Value) -> ExpressionKind {
    let path = FormatExpression.path(from: .constant(value), [.key(key)])
    guard let found = try? path.value(in: EvaluationContext()) else { return .unknown }
    return ValueSort(found).map(ExpressionKind.value) ?? .unknown
  }

  /// A property that is of one kind in all entities that have it.
  private func property(_ key: String, of entity: String, isExact: Bool) -> ExpressionKind {
    let entities = isExact ? [entity] : model.family(of: entity).map(\.name)
    var shared: ExpressionKind?
    for name in entities {
      let kind: ExpressionKind
      if let relationship = model.relationship(key, of: name) {
        let target = ExpressionKind.object(entity: relationship.destinationEntityName, isExact: false)
        kind = relationship.isToMany ? .collection(of: target, isOrdered: relationship.isOrdered) : target
      } else if let attribute = model.attribute(key, of: name) {
        kind = self.kind(of: attribute)
      } else {
        continue
      }
      guard shared == nil || shared == kind else { return .unknown }
      shared = kind
    }
    return shared ?? .unknown
  }

  /// Values of transformable attributes are the application's own, and of transient ones there are none.
  private func kind(of attribute: Attribute) -> ExpressionKind {
    guard !attribute.isTransient, let sort = ValueSort(attribute.type), sort != .transformable,
      sort != .composite
    else { return .unknown }
    return .value(sort)
  }
}
