/// Parses simple regular expressions into a tree.
struct TextPatternParser {
  private let units: [Character]
  private var index = 0
  private var depth = 0

  init(_ expression: String) {
    units = Array(expression)
  }

  mutating func parse() -> TextPattern.Node? {
    guard units.count <= 2_000 else { return nil }
    if peek == "^" { index += 1 }
    guard let node = alternatives(), index == units.count else { return nil }
    return node
  }

  private var peek: Character? { index < units.count ? units[index] : nil }

  private mutating func take() -> Character? {
    guard let next = peek else { return nil }
    index += 1
    return next
  }

  private mutating func alternatives() -> TextPattern.Node? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 20 else { return nil }
    var choices: [TextPattern.Node] = []
    repeat {
      if peek == "|" { index += 1 }
      guard let part = sequence() else { return nil }
      choices.append(part)
    } while peek == "|"
    return choices.count == 1 ? choices.first : .choice(choices)
  }

  private mutating func sequence() -> TextPattern.Node? {
    var nodes: [TextPattern.Node] = []
    while let next = peek, next != "|", next != ")" {
      if next == "$" {
        // This is the end anchor: it is only allowed as the last character.
        index += 1
        guard peek == nil else { return nil }
        break
      }
      guard let atom = atom(), let whole = repetition(of: atom) else { return nil }
      nodes.append(whole)
    }
    return .sequence(nodes)
  }

  private mutating func atom() -> TextPattern.Node? {
    switch take() {
    case "(": return group()
    case "[": return characterClass().map { .characters($0) }
    case ".": return .characters(Self.letters + Self.digits + [" ", "-", "é", "ñ", "字"])
    case "\\": return take().flatMap(Self.escaped).map { .characters($0) }
    case "*", "+", "?", "{", "^", ")", "|", nil: return nil
    case let character?: return .characters([character])
    }
  }

  private mutating func group() -> TextPattern.Node? {
    if peek == "?" {
      index += 1
      guard take() == ":" else { return nil }
    }
    guard let node = alternatives(), take() == ")" else { return nil }
    return node
  }

  private mutating func repetition(of node: TextPattern.Node) -> TextPattern.Node? {
    let bounds: (least: Int, most: Int)
    switch peek {
    case "*": bounds = (0, 8)
    case "+": bounds = (1, 8)
    case "?": bounds = (0, 1)
    case "{":
      guard let counted = counts() else { return nil }
      bounds = counted
    default: return node
    }
    index += 1
    // A lazy repetition allows the same texts as a greedy one. Possessive and doubled repetitions aren't supported.
    if peek == "?" { index += 1 }
    if let next = peek, "*+?{".contains(next) { return nil }
    return .repeated(node, least: bounds.least, most: bounds.most)
  }

  /// Reads the bounds of a repetition such as `{2}`, `{2,}` or `{2,5}`; `index` is then at the closing brace.
  private mutating func counts() -> (least: Int, most: Int)? {
    guard let end = units[index...].firstIndex(of: "}") else { return nil }
    let parts = String(units[(index + 1)..<end]).split(separator: ",", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let least = Int(parts[0]), (0...1_000).contains(least) else {
      return nil
    }
    index = end
    if parts.count == 1 { return (least, least) }
    if parts[1].isEmpty { return (least, least + 8) }
    guard let most = Int(parts[1]), most >= least else { return nil }
    return (least, min(most, least + 64))
  }

  private mutating func characterClass() -> [Character]? {
    var isNegated = false
    if peek == "^" {
      isNegated = true
      index += 1
    }
    var characters: [Character] = []
    while let next = take() {
      if next == "]" {
        guard !characters.isEmpty else { return nil }
        return isNegated ? Self.complement(of: characters) : Self.unique(characters)
      }
      guard next != "[", next != "&" else { return nil }
      guard let start = next == "\\" ? take().flatMap(Self.escaped) : [next] else { return nil }
      if peek == "-", index + 1 < units.count, units[index + 1] != "]" {
        index += 1
        guard let last = take(), last != "\\", last != "[", let range = Self.range(start, last) else {
          return nil
        }
        characters += range
      } else {
        characters += start
      }
    }
    return nil
  }

  private static func range(_ start: [Character], _ last: Character) -> [Character]? {
    guard start.count == 1, let low = start[0].unicodeScalars.first?.value,
      let high = last.unicodeScalars.first?.value, low <= high
    else { return nil }
    return (low...min(high, low + 500)).compactMap(Unicode.Scalar.init).map(Character.init)
  }

  private static func unique(_ characters: [Character]) -> [Character] {
    var seen: Set<Character> = []
    return characters.filter { seen.insert($0).inserted }
  }

  private static func complement(of characters: [Character]) -> [Character]? {
    let rest = (letters + digits + Array(" -_.,:;!/@#")).filter { !characters.contains($0) }
    return rest.isEmpty ? nil : rest
  }

  private static func escaped(_ character: Character) -> [Character]? {
    switch character {
    case "d": digits
    case "w": letters + digits + ["_"]
    case "s": [" "]
    case "D": letters
    case "S": letters + digits
    case "W": [" ", "-", "!"]
    case "t": ["\t"]
    case "n": ["\n"]
    case let other where !other.isLetter && !other.isNumber: [other]
    default: nil
    }
  }

  private static let digits = Array("0123456789")
  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}
