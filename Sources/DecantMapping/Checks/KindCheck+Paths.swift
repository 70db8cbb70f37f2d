internal import PredicateFormat

extension KindCheck {
  /// Follows a path like the evaluator: nil at any step gives nil, and a key of a collection gives the values of its
  /// members.
  mutating func follow(_ path: PredicateFormat.KeyPath, _ expression: FormatExpression) -> ExpressionKind {
    let start = kind(of: path.operand)
    if path.operand == .selfObject, !scope.place.isPredicate, !scope.isWithinSubquery {
      // The author probably means a key of the source object.
      if case .key(let key)? = path.steps.first {
        note(Read(key: key, entities: scope.sourceEntities(of: start), isOwn: true))
      }
      return misname(
        "“\(expression)” doesn't say which object the key belongs to",
        "Write $source.\(expression) for a property of the source object")
    }
    return follow(path.steps[...], from: start, in: path)
  }

  mutating func follow(
    _ steps: ArraySlice<PredicateFormat.KeyPath.Step>, from start: ExpressionKind,
    in path: PredicateFormat.KeyPath
  ) -> ExpressionKind {
    var current = start
    var rest = steps
    while let step = rest.first {
      rest = rest.dropFirst()
      if scope.isNil(.path(from: path.operand, Array(path.steps[..<rest.startIndex]))) { return .null }
      switch step {
      case .key(let key):
        if case .key(let element)? = rest.first, isComposite(key, of: current) {
          rest = rest.dropFirst()
          current = self.key("\(key).\(element)", of: current, in: path)
        } else {
          current = self.key(key, of: current, in: path)
        }
      case .collection(.count), .size: current = count(current, step, path)
      case .collection(let name):
        current = gather(name, current, rest.takePath(of: name), path)
      case .first: current = pick(.constant(.integer(0)), of: current, path)
      case .last: current = pick(.value(.number), of: current, path)
      case .index(let index):
        let place = kind(of: index)
        current = pick(place, of: current, path)
      }
    }
    return current
  }

  // MARK: Collections

  private mutating func count(
    _ kind: ExpressionKind, _ step: PredicateFormat.KeyPath.Step, _ path: PredicateFormat.KeyPath
  ) -> ExpressionKind {
    if kind == .null { return .null }
    let results = trials([kind], of: FormatExpression.keyPath(path), advice: { _, _ in Self.plural }) {
      .path(from: $0[0].constant, [step])
    }
    return results.isEmpty ? .unknown : .value(.number)
  }

  private static let plural =
    "Only a relationship to many, or another collection, has members to count or gather"

  /// Follows the path to the right of a collection operator from each member, and applies the operator to the results.
  private mutating func gather(
    _ name: CollectionOperator, _ kind: ExpressionKind, _ right: ArraySlice<PredicateFormat.KeyPath.Step>,
    _ path: PredicateFormat.KeyPath
  ) -> ExpressionKind {
    switch kind {
    case .null: return .null
    case .unknown, .oneOf: return .unknown
    default: break
    }
    guard let members = kind.members else {
      return refuse(
        FormatExpression.keyPath(path), "expected a collection for @\(name.rawValue), found \(kind.words)",
        Self.plural, focus: "@\(name.rawValue)")
    }
    let leaves = members.map { right.isEmpty ? $0 : follow(right, from: $0, in: path) }
    if leaves.contains(.unknown) { return Self.result(of: name, over: .unknown, in: kind) }
    let results = trials(leaves, of: FormatExpression.keyPath(path), advice: { _, _ in Self.advice(for: name) })
    {
      .path(from: .constant(.array($0.map(\.sample))), [.collection(name)])
    }
    return results.isEmpty ? .unknown : Self.result(of: name, over: .either(leaves), in: kind)
  }

  private static func advice(for name: CollectionOperator) -> String {
    switch name {
    case .sum, .average: "@\(name.rawValue) takes numbers"
    case .minimum, .maximum: "@\(name.rawValue) takes numbers, dates or strings"
    default: "Write @unionOfObjects for values that aren't collections themselves"
    }
  }

  private static func result(
    of name: CollectionOperator, over leaf: ExpressionKind, in kind: ExpressionKind
  ) -> ExpressionKind {
    switch name {
    case .count, .sum, .average: return .value(.number)
    case .minimum, .maximum:
      // The result is one of several constants, but it isn't known which one.
      return leaf.family?.sort.map(ExpressionKind.value) ?? (leaf == .null ? .null : .unknown)
    case .unionOfObjects: return .collection(of: leaf, isOrdered: true)
    case .distinctUnionOfObjects:
      let isOrdered = if case .collection(_, let isOrdered) = kind { isOrdered } else { true }
      return .collection(of: leaf, isOrdered: isOrdered)
    case .unionOfArrays, .distinctUnionOfArrays, .distinctUnionOfSets:
      return .collection(
        of: leaf.members.map(ExpressionKind.either) ?? .unknown, isOrdered: name != .distinctUnionOfSets)
    }
  }

  private mutating func pick(
    _ index: ExpressionKind, of kind: ExpressionKind, _ path: PredicateFormat.KeyPath
  ) -> ExpressionKind {
    if kind == .null || index == .null { return .null }
    let advice =
      kind.members == nil
      ? "Only a list can have an index"
      : "An index must be a whole number, and needs a list or an ordered relationship"
    let results = trials([kind, index], of: FormatExpression.keyPath(path), advice: { _, _ in advice }) {
      .path(from: $0[0].constant, [.index($0[1].constant)])
    }
    if results.isEmpty { return .unknown }
    if kind.known != nil, index.known != nil, let only = results.first { return ExpressionKind(only) }
    guard let members = kind.members else { return .unknown }
    if case .list = kind, case .constant(.integer(let place)) = index {
      return Int(exactly: place).flatMap { members.indices.contains($0) ? members[$0] : nil } ?? .null
    }
    return .either(members)
  }
}
