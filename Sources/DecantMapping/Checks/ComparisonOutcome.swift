internal import PredicateFormat

/// The result of a comparison that is the same for all values of the two kinds, apart from nil.
struct ComparisonOutcome {
  /// The result and its reason, such as “never holds: a string never equals a number”.
  let words: String
  /// Whether the comparison never holds because one side is nil.
  var isOfNil = false

  /// - Returns: `nil` if the result may depend on the values.
  init?(_ comparison: Comparison, _ left: ExpressionKind, _ right: ExpressionKind) {
    let lefts = comparison.modifier == .direct ? [left] : left.members ?? [.unknown]
    switch comparison.operation {
    case .equal, .notEqual:
      guard let (one, other) = Self.strangers(lefts, [right]) else { return nil }
      words = Self.words(
        comparison, "\(one) never equals \(other)", mayBothBeNil: !left.isConstant && !right.isConstant)
    case .in, .contains:
      guard comparison.modifier == .direct else { return nil }
      let (value, collection) = comparison.operation == .in ? (left, right) : (right, left)
      if collection == .null {
        (words, isOfNil) = ("never holds: nil has no members", true)
        return
      }
      if value == .null, collection.family == .sort(.string) {
        (words, isOfNil) = ("never holds: one side is nil", true)
        return
      }
      guard let members = collection.members,
        let (one, other) = comparison.operation == .in
          ? Self.strangers([value], members) : Self.strangers(members, [value])
      else { return nil }
      words = Self.words(
        comparison, "\(one) never equals \(other)",
        mayBothBeNil: !value.isConstant && !members.allSatisfy(\.isConstant))
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .beginsWith, .endsWith, .like, .matches:
      guard comparison.modifier != .all, left == .null || right == .null else { return nil }
      (words, isOfNil) = ("never holds: one side is nil", true)
    case .conformsToUTI, .equalsUTI: return nil
    }
  }

  /// The words for one kind of each side, if no value on the left except nil can equal a value on the right.
  private static func strangers(
    _ left: [ExpressionKind], _ right: [ExpressionKind]
  ) -> (String, String)? {
    let (ones, others) = (left.map(\.family), right.map(\.family))
    guard let one = ones.first.flatMap({ $0 }), let other = others.first.flatMap({ $0 }) else { return nil }
    for one in ones { for other in others where one == nil || other == nil || one == other { return nil } }
    return (one.words, other.words)
  }

  private static func words(_ comparison: Comparison, _ reason: String, mayBothBeNil: Bool) -> String {
    let isNegative = comparison.operation == .notEqual
    if comparison.modifier == .all, !isNegative {
      return "holds for no member: \(reason)"
    }
    let nilWords = isNegative ? "holds unless both are nil" : "holds only where both are nil"
    return "\(mayBothBeNil ? nilWords : isNegative ? "always holds" : "never holds"): \(reason)"
  }
}

/// The advice about a comparison that can't be evaluated, or whose result is always the same.
struct KindAdvice {
  private let comparison: Comparison
  private let left: ExpressionKind
  private let right: ExpressionKind

  init(_ comparison: Comparison, _ left: ExpressionKind, _ right: ExpressionKind) {
    self.comparison = comparison
    self.left = left
    self.right = right
  }

  func text(for reason: EvaluationError.Reason) -> String {
    switch reason {
    case .badPattern: "Correct the regular expression"
    case .unsupported: "Write another condition"
    default: text
    }
  }

  var text: String {
    if left == .null || right == .null { return "Write == nil or != nil to ask whether there is a value" }
    if comparison.modifier == .direct, left.family == .collection, right.family != .collection {
      return
        "Write ANY or ALL before the collection for its members, or .@count after it for the number of members"
    }
    if comparison.modifier != .direct, left.members == nil { return "Leave \(word) out" }
    switch comparison.operation {
    case .beginsWith, .endsWith, .like, .matches, .contains: return "This comparison needs strings"
    default: break
    }
    switch (sort(of: left), sort(of: right)) {
    case (.date, .number), (.number, .date): return "Compare a date with a date, as in CAST(0, 'NSDate')"
    case (.uuid, .string), (.string, .uuid):
      return "Compare a UUID with a UUID, as in CAST('…', 'NSUUID')"
    case (.uri, .string), (.string, .uri):
      return "Compare a URI with a URI, as in CAST('…', 'NSURL'), or its .absoluteString with a string"
    case (.string, .number), (.number, .string):
      return "Write both as numbers or both as strings; CAST(…, 'NSString') makes a string of a number"
    default: return "Compare values of one kind"
    }
  }

  private var word: String { comparison.modifier == .any ? "ANY" : "ALL" }

  private func sort(of kind: ExpressionKind) -> ValueSort? {
    switch kind.members?.first?.family ?? kind.family {
    case .sort(let sort): sort
    default: nil
    }
  }
}
