/// A path over keys, collection operators and indexes: `author.name`, `pages.@count`, `pages[FIRST]`
/// (docs/formats/predicate-format.md 3.2).
///
/// `SELF` as the operand isn't written: `SELF.price` is `price`.
public struct KeyPath: Hashable, Sendable {
  public indirect enum Step: Hashable, Sendable {
    case key(String)
    case collection(CollectionOperator)
    /// `[FIRST]`
    case first
    /// `[LAST]`
    case last
    /// `[SIZE]`
    case size
    /// `[2]`, counted from 0, or `["key"]` for a dictionary.
    case index(Expression)
  }

  public var operand: Expression
  public var steps: [Step]

  public init(operand: Expression = .selfObject, steps: [Step]) {
    self.operand = operand
    self.steps = steps
  }

  /// Whether the path has a collection operator; a count that is the last step doesn't matter.
  var gathers: Bool {
    steps.dropLast().contains { if case .collection = $0 { true } else { false } }
      || steps.last.map { if case .collection(let name) = $0 { name != .count } else { false } } ?? false
  }
}

extension KeyPath {
  /// Whether an operator of the path makes one value of many.
  var givesOne: Bool {
    steps.contains { if case .collection(let name) = $0 { name.takesCounts } else { false } }
  }
}

extension KeyPath.Step {
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.key(let a), .key(let b)): Bytes.areEqual(a, b)
    case (.collection(let a), .collection(let b)): a == b
    case (.first, .first), (.last, .last), (.size, .size): true
    case (.index(let a), .index(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): Bytes.hash(key, into: &hasher)
    case .collection(let name): hasher.combine(name)
    case .first: hasher.combine(1)
    case .last: hasher.combine(2)
    case .size: hasher.combine(3)
    case .index(let index): hasher.combine(index)
    }
  }
}
