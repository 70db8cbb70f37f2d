internal import DecantSQLite
internal import PredicateFormat

extension Compiler {
  /// Follows a path like `Evaluation.walk`.
  mutating func follow(
    _ steps: ArraySlice<PredicateFormat.KeyPath.Step>, from start: Operand
  ) throws(NotSQL) -> Operand {
    var current = start
    var rest = steps
    while let step = rest.first {
      rest = rest.dropFirst()
      switch step {
      case .key(let key):
        if case .key(let element)? = rest.first, isComposite(key, of: current) {
          rest = rest.dropFirst()
          current = try self.key("\(key).\(element)", of: current)
        } else {
          current = try self.key(key, of: current)
        }
      case .collection(.count), .size: current = try count(current, step)
      case .collection(let name):
        current = try gather(name, current, rest.takePath(of: name))
      case .first: current = try pick(0, of: current, step)
      case .last: current = try pick(nil, of: current, step)
      case .index(.constant(.integer(let place))) where place >= 0:
        current = try pick(place, of: current, step)
      case .index(let index): current = try pick(current, at: try operand(index))
      }
    }
    return current
  }

  private func isComposite(_ key: String, of operand: Operand) -> Bool {
    let entity: String
    switch operand {
    case .row(let route), .rows(let route): entity = route.entity
    case .value(let value):
      guard case .object(let name) = value.kind else { return false }
      entity = name
    default: return false
    }
    return layout.model.family(of: entity).contains {
      !layout.model.elements(ofComposite: key, of: $0.name).isEmpty
    }
  }

  private mutating func key(_ key: String, of operand: Operand) throws(NotSQL) -> Operand {
    switch operand {
    case .row(let route), .rows(let route): return try step(key, from: route)
    case .value(let value):
      if case .object(let entity) = value.kind { return try step(key, from: object(value, entity)) }
    default: break
    }
    return try plain(operand, .key(key))
  }

  /// A step that isn't a key of an object, for the evaluator.
  private mutating func plain(
    _ operand: Operand, _ step: PredicateFormat.KeyPath.Step
  ) throws(NotSQL) -> Operand {
    let made = try residue(of: [operand]) { .path(from: $0[0], [step]) }
    if case .key(let key) = step, case .residue(let residue) = made, residue.holdsObjects {
      throw NotSQL("“\(key)” is a key of objects that a statement can't look up")
    }
    return made
  }

  private mutating func object(_ value: SQLValue, _ entity: String) throws(NotSQL) -> Route {
    guard let table = layout.table(of: entity) else { throw NotSQL("“\(entity)” has no table") }
    try Self.check(value.text)
    let alias = name("t")
    var route = Route(alias: alias, entity: entity, isNullable: true)
    route.joins = [
      Route.Join(
        table: "\(schema).\(quoted(table.name))", alias: alias, condition: "\(alias).Z_PK = (\(value.text))",
        isLookup: true)
    ]
    return route
  }

  private mutating func count(
    _ operand: Operand, _ step: PredicateFormat.KeyPath.Step
  ) throws(NotSQL) -> Operand {
    switch operand {
    case .rows(let route):
      return .value(SQLValue(route.unlessNil("(SELECT COUNT(*) \(route.body))"), .integer))
    case .members(let route, let value):
      // Each member counts, also nil. Each has to be evaluated, because its evaluation may fail.
      let each = "COALESCE(SUM(CASE WHEN (\(value.text)) IS NULL THEN 1 ELSE 1 END), 0)"
      return .value(SQLValue(route.unlessNil("(SELECT \(each) \(route.body))"), .integer))
    default: return try plain(operand, step)
    }
  }

  private mutating func gather(
    _ name: CollectionOperator, _ operand: Operand, _ right: ArraySlice<PredicateFormat.KeyPath.Step>
  ) throws(NotSQL) -> Operand {
    var operand = operand
    var rest = Array(right)
    switch operand {
    case .rows(let route) where !right.isEmpty:
      operand = .members(route, try whole(try follow(right, from: .row(route.member))))
      rest = []
    case .members(let route, let value) where !right.isEmpty:
      operand = .members(route, try whole(try follow(right, from: .value(value))))
      rest = []
    default: break
    }
    let made = try residue(of: [operand]) { .path(from: $0[0], [.collection(name)] + rest) }
    if case .residue(let residue) = made, residue.holdsObjects, !rest.isEmpty {
      throw NotSQL("@\(name.rawValue) is followed by keys of objects that a statement can't look up")
    }
    return made
  }

  /// The member at an index, or the last member if the index is nil.
  ///
  /// A set has no indexes; the evaluator reports that.
  private mutating func pick(
    _ place: Int64?, of operand: Operand, _ step: PredicateFormat.KeyPath.Step
  ) throws(NotSQL) -> Operand {
    switch operand {
    case .rows(let route) where !route.isSet:
      let key = "(\(route.each("\(route.alias).Z_PK", reversed: place == nil)) \(Self.limit(place)))"
      return .row(try object(SQLValue(key, .object(route.entity)), route.entity))
    case .members(let route, let value) where !route.isSet:
      let text = "(\(route.each(value.text, reversed: place == nil)) \(Self.limit(place)))"
      return .value(SQLValue(text, value.kind, mayHoldObjects: value.mayHoldObjects))
    default: return try plain(operand, step)
    }
  }

  private static func limit(_ place: Int64?) -> String {
    "LIMIT 1" + (place.map { $0 > 0 ? " OFFSET \($0)" : "" } ?? "")
  }

  private mutating func pick(_ operand: Operand, at index: Operand) throws(NotSQL) -> Operand {
    try residue(of: [operand, index]) { .path(from: $0[0], [.index($0[1])]) }
  }
}
