/// The words of a property's name.
///
/// They show whether two names look like the old and the new name of one property.
///
/// Names are split at underscores and other signs, around digits, and at changes of case: `eventID_data` has the words
/// `event`, `id` and `data`. Common words, such as `is` and `data`, count only if one of the names has no other words.
struct NameLikeness {
  private let words: [String]

  init(_ name: String) { words = Self.words(of: name) }

  func isRelated(to other: NameLikeness) -> Bool {
    if hasLetters(of: other) { return true }
    var (some, others) = (telling, other.telling)
    if some.isEmpty || others.isEmpty { (some, others) = (words, other.words) }
    if some.count > others.count { swap(&some, &others) }
    var free = others
    var shared = 0
    for word in some {
      guard let match = free.firstIndex(where: { Self.alike(word, $0) }) else { continue }
      free.remove(at: match)
      shared += 1
    }
    return shared > 0 && (shared * 2 > others.count || (shared == some.count && shared * 2 == others.count))
  }

  /// Whether the names differ only in case and in signs between words.
  func hasLetters(of other: NameLikeness) -> Bool { !words.isEmpty && words.joined() == other.words.joined() }

  private var telling: [String] { words.filter { !Self.kinds.contains($0) } }

  /// Common words that don't distinguish properties.
  private static let kinds: Set<String> = [
    "a", "be", "by", "data", "date", "flag", "for", "from", "has", "id", "identifier", "in", "is", "needs",
    "number",
    "of", "on", "string", "text", "the", "time", "to", "type", "value",
  ]

  private static func words(of name: String) -> [String] {
    enum Kind { case lower, upper, digit, none }
    func kind(_ character: Character) -> Kind {
      if character.isNumber { return .digit }
      guard character.isLetter else { return .none }
      return character.isUppercase ? .upper : .lower
    }
    let characters = Array(name.prefix(maximumLength))
    let kinds = characters.map(kind)
    var words: [String] = []
    var word = ""
    for (index, character) in characters.enumerated() {
      if index > 0 {
        let (before, now) = (kinds[index - 1], kinds[index])
        let endsAcronym =
          before == .upper && now == .upper && index + 1 < kinds.count && kinds[index + 1] == .lower
        if now == .none || (before != now && !(before == .upper && now == .lower)) || endsAcronym {
          if !word.isEmpty { words.append(word) }
          word = ""
        }
      }
      if kinds[index] != .none { word += character.lowercased() }
    }
    return word.isEmpty ? words : words + [word]
  }

  /// Whether words are equal, begin alike (`created`, `creation`), or differ by at most one typing mistake in five
  /// letters.
  private static func alike(_ first: String, _ second: String) -> Bool {
    if first == second { return true }
    let (shorter, longer) = (min(first.count, second.count), max(first.count, second.count))
    let beginning = zip(first, second).prefix { $0 == $1 }.count
    if beginning == shorter { return shorter >= 4 && longer - shorter <= 3 }
    if beginning >= 5, beginning * 3 >= shorter * 2 { return true }
    return (longer - shorter) * 5 <= longer && NearName.mistakes(first, second) * 5 <= longer
  }

  /// The number of characters that are compared; the rest of a longer name is ignored.
  private static let maximumLength = 64
}
