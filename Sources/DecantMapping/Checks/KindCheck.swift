internal import DecantModel
internal import PredicateFormat

/// Determines the kind of an expression's value, and notes the expression's problems and the keys that it reads.
///
/// It runs the evaluator on sample values, because the evaluator decides which kinds of values an operator accepts.
/// Parts that a constant condition excludes, such as a branch of `TERNARY`, aren't checked.
struct KindCheck {
  struct Problem {
    var severity: MappingFinding.Severity
    let problem: String
    let advice: String
    /// Whether the problem is about a name in the expression.
    ///
    /// Such a problem keeps its severity even if a policy may not need the expression.
    var isName = false
    var subject = MappingFinding.Subject.content
    /// The part of the text that the problem is about.
    var focus: String?
  }

  /// A key that is read from source objects, with the entities that these objects may have.
  struct Read {
    let key: String
    let entities: [String]
    /// Whether it is a key of the entity mapping's own source object.
    let isOwn: Bool
  }

  var scope: KindScope
  private(set) var problems: [Problem] = []
  /// The keys of source objects in the expression, in reading order.
  private(set) var reads: [Read] = []
  /// The entities of the source objects that code of an application gets.
  private(set) var seenByCode: Set<String> = []

  init(_ scope: KindScope) { self.scope = scope }

  mutating func note(_ problem: Problem) { problems.append(problem) }

  mutating func note(_ read: Read) { reads.append(read) }

  mutating func show(_ kind: ExpressionKind) {
    for member in kind.members ?? kind.alternatives {
      seenByCode.formUnion(member.alternatives.flatMap { scope.sourceEntities(of: $0) })
    }
  }

  // MARK: Expressions

  @discardableResult
  mutating func kind(of expression: FormatExpression) -> ExpressionKind {
    if scope.isNil(expression) { return .null }
    switch expression {
    case .constant(let value): return ExpressionKind(value)
    case .selfObject: return scope.object
    case .variable(let name): return variable(name)
    case .keyPath(let path): return follow(path, expression)
    case .function(let name, let arguments):
      let kinds = arguments.map { kind(of: $0) }
      return call(name, kinds, expression)
    case .aggregate(let members): return .list(members.map { kind(of: $0) })
    case .message(let target, let selector, let arguments):
      return send(selector, to: target, arguments, expression)
    case .cast(let inner, let type): return cast(kind(of: inner), to: type, expression)
    case .ternary(let condition, let positive, let negative):
      return choice(condition, positive, negative)
    case .subquery(let collection, let variable, let predicate):
      return select(from: collection, variable, predicate, expression)
    case .set(_, let left, let right): return union(left, right, expression)
    case .fetch(let request, let context, _):
      kind(of: request)
      kind(of: context)
      return refuse(expression, "FETCH can't be evaluated", "Take a path from $source, or write a policy")
    case .assignment(_, let value):
      kind(of: value)
      return refuse(expression, "an assignment can't be evaluated", "Write the value alone")
    case .anyKey: return refuse(expression, "ANYKEY can't be evaluated", "Name the key")
    }
  }

  func hint(_ name: String, _ known: [String], otherwise: String) -> String {
    guard problems.count < MappingCheck.maximumFindings else { return otherwise }
    return scope.check.hint(name, known, otherwise: otherwise)
  }

  private mutating func variable(_ name: String) -> ExpressionKind {
    if let known = scope.variables[name] {
      if name == "source", scope.entity.sourceEntityName == nil {
        misname("without a source entity there is no $source", "Name the source entity", focus: "$source")
      }
      return known
    }
    guard Self.variables.contains(name) else {
      let known = Self.variables.sorted(by: NameOrder.codePoints)
      let all = known.map { "$\($0)" }.joined(separator: ", ")
      return misname(
        "there is no variable $\(name)", hint(name, known, otherwise: "The variables are: \(all)"),
        focus: "$\(name)")
    }
    let advice =
      switch (name, scope.place) {
      case ("propertyMapping", _): "Write the property's name into the expression"
      case ("destination", _): "Take $source; only the expressions of relationships have $destination"
      default: "Take $source; chunk predicates, and filters beside them, have no other variable"
      }
    return refuse(
      FormatExpression.variable(name), "the variable $\(name) isn't set here", advice, focus: "$\(name)")
  }

  private static let variables: Set<String> = [
    "manager", "source", "destination", "entityMapping", "propertyMapping", "entityPolicy",
  ]

  private mutating func choice(
    _ condition: FormatPredicate, _ positive: FormatExpression, _ negative: FormatExpression
  ) -> ExpressionKind {
    let outer = scope.nils
    defer { scope.nils = outer }
    let truth = look(at: condition)
    var kinds: [ExpressionKind] = []
    if truth != false {
      scope.nils = outer + condition.nils(where: true)
      kinds.append(kind(of: positive))
    }
    if truth != true {
      scope.nils = outer + condition.nils(where: false)
      kinds.append(kind(of: negative))
    }
    return .either(kinds)
  }

  private mutating func select(
    from collection: FormatExpression, _ variable: String, _ predicate: FormatPredicate,
    _ expression: FormatExpression
  ) -> ExpressionKind {
    let found = kind(of: collection)
    let outer = scope
    defer { scope = outer }
    scope.isWithinSubquery = true
    switch found {
    case .null: return .null
    case .unknown, .oneOf:
      scope.variables[variable] = .unknown
      look(at: predicate)
      return .unknown
    default:
      guard found.members != nil else {
        return refuse(
          expression, "expected a collection, found \(found.words)",
          "Write a path to several objects, or the condition itself", focus: "SUBQUERY")
      }
      scope.variables[variable] = found.one
      look(at: predicate)
      return .collection(of: found.one, isOrdered: true)
    }
  }

  private mutating func union(
    _ left: FormatExpression, _ right: FormatExpression, _ expression: FormatExpression
  ) -> ExpressionKind {
    let kinds = [kind(of: left), kind(of: right)]
    var members: [ExpressionKind] = []
    for kind in kinds {
      switch kind {
      case .null: continue
      case .unknown, .oneOf: return .unknown
      default:
        guard let own = kind.members else {
          return refuse(
            expression, "expected a collection, found \(kind.words)", "Write a collection on each side")
        }
        members += own
      }
    }
    return .collection(of: .either(members), isOrdered: false)
  }

  // MARK: Predicates

  /// - Returns: The result of the predicate, if it is known to be the same for all rows.
  @discardableResult
  mutating func look(at predicate: FormatPredicate) -> Bool? {
    switch predicate {
    case .always: return true
    case .never: return false
    case .not(let inner): return look(at: inner).map { !$0 }
    case .and(let parts): return look(at: parts, until: false)
    case .or(let parts): return look(at: parts, until: true)
    case .comparison(let comparison): return compare(comparison)
    }
  }

  /// Checks parts up to the one that decides the result.
  private mutating func look(at parts: [FormatPredicate], until decisive: Bool) -> Bool? {
    let outer = scope.nils
    defer { scope.nils = outer }
    var truth: Bool? = !decisive
    for part in parts {
      let own = look(at: part)
      if own == decisive { return decisive }
      if own == nil { truth = nil }
      scope.nils += part.nils(where: !decisive)
    }
    return truth
  }
}
