/// Makes texts that match a simple regular expression: literals, classes, groups, alternatives, repetitions.
struct TextPattern: Sendable {
  indirect enum Node: Sendable, Hashable {
    /// One of these characters.
    case characters([Character])
    case sequence([Node])
    case choice([Node])
    case repeated(Node, least: Int, most: Int)
  }

  private let root: Node
  /// The possible characters at each place of `text(numbered:)`.
  private let positions: [[Character]]

  /// Parses a regular expression; `nil` if its form isn't supported, or if the expression or its longest text is too
  /// long.
  init?(_ expression: String) {
    var parser = TextPatternParser(expression)
    guard let root = parser.parse(), Self.longest(root) <= 10_000 else { return nil }
    self.root = root
    positions = Self.classes(root)
  }

  func text(_ random: inout SplitMix64) -> String {
    var text = ""
    Self.write(root, &random, &text)
    return text
  }

  /// The number of different texts of `text(numbered:)`.
  var capacity: UInt64 {
    positions.reduce(1) { product, characters in
      let (next, overflows) = product.multipliedReportingOverflow(by: UInt64(characters.count))
      return overflows ? .max : next
    }
  }

  /// The text of a number; different numbers below `capacity` give different texts.
  ///
  /// Each text uses the first alternative and the longest repetition.
  func text(numbered number: UInt64) -> String {
    var rest = number
    return String(
      positions.map { characters in
        defer { rest /= UInt64(characters.count) }
        return characters[Int(rest % UInt64(characters.count))]
      })
  }

  private static func write(_ node: Node, _ random: inout SplitMix64, _ text: inout String) {
    switch node {
    case .characters(let characters): text.append(characters[random.below(characters.count)])
    case .sequence(let nodes): for node in nodes { write(node, &random, &text) }
    case .choice(let nodes): write(nodes[random.below(nodes.count)], &random, &text)
    case .repeated(let node, let least, let most):
      for _ in 0..<(least + random.below(most - least + 1)) { write(node, &random, &text) }
    }
  }

  private static func classes(_ node: Node) -> [[Character]] {
    switch node {
    case .characters(let characters): [characters]
    case .sequence(let nodes): nodes.flatMap(classes)
    case .choice(let nodes): nodes.first.map(classes) ?? []
    case .repeated(let node, _, let most): [[[Character]]](repeating: classes(node), count: most).flatMap { $0 }
    }
  }

  /// The length of the longest text, but at most 1,000,000, because nested repetitions multiply lengths.
  private static func longest(_ node: Node) -> Int {
    let length: Int
    switch node {
    case .characters: length = 1
    case .sequence(let nodes): length = nodes.reduce(0) { min(1_000_000, $0 + longest($1)) }
    case .choice(let nodes): length = nodes.map { longest($0) }.max() ?? 0
    case .repeated(let node, _, let most): length = longest(node) * most
    }
    return min(length, 1_000_000)
  }
}
