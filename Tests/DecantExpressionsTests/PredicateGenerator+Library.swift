/// Constant arguments for calls of Decant's own functions.
enum LibraryWords {
  static let datePatterns = ["yyyy-MM-dd", "HH:mm:ss.SSS", "d MMMM y", "yyyy", "EEEE, d MMM yyyy h:mm a Z"]
  static let patterns = ["[a-c]+", "(.)(.)", "\\\\d+", "^", "ä|ñ", ""]
  static let separators = ["", " ", "a", "b", "a\u{308}", ", ", "\u{308}"]
  static let locales = ["es", "de_DE", "tr", "ar_EG", "en_US_POSIX"]
}

extension PredicateGenerator {
  /// A call of one of Decant's own functions that gives a string.
  mutating func textOfLibrary(depth: Int) -> String {
    let text = expression(.string, depth: depth)
    let other =
      dice.chance(60) ? Self.quoted(dice.pick(LibraryWords.separators)) : expression(.string, depth: 0)
    let place = dice.chance(70) ? dice.pick(["0", "1", "2", "-1", "-2", "7"]) : attribute(.number) ?? "0"
    let locale = dice.chance(30) ? ", '\(dice.pick(LibraryWords.locales))'" : ""
    let pattern = "'\(dice.pick(LibraryWords.patterns))'"
    switch dice.below(15) {
    case 0, 1: return "split(\(text), \(other), \(place))"
    case 2:
      return "join(\(other), \(text), \(expression(.string, depth: 0)), \(expression(.string, depth: depth)))"
    case 3:
      guard let (path, entity) = toMany(), let leaf = leaf(.string, entity) else { return "fold(\(text))" }
      return "join(\(other), \(path).\(leaf), \(text))"
    case 4: return "\(dice.pick(["word", "prefix", "suffix", "substring"]))(\(text), \(place))"
    case 5: return "\(dice.pick(["firstWord", "lastWord", "fold", "normalise", "nilIfEmpty", "trim"]))(\(text))"
    case 6: return "trim(\(text), \(other))"
    case 7: return "replace(\(text), \(other), \(expression(.string, depth: 0)))"
    case 8: return "replacePattern(\(text), \(pattern), '<$0>')"
    case 9: return "extract(\(text), \(pattern)\(dice.chance(50) ? ", 1" : ""))"
    case 10: return "\(dice.pick(["upper", "lower", "capitalise"]))(\(text)\(locale))"
    case 11: return "\(dice.pick(["padStart", "padEnd"]))(\(text), \(dice.below(12)), \(other))"
    case 12: return "formatNumber(\(expression(.number, depth: depth)), \(dice.below(5))\(locale))"
    case 13:
      return
        "formatDate(\(expression(.date, depth: depth)), '\(dice.pick(LibraryWords.datePatterns))'\(locale))"
    default:
      return "\(dice.pick(["coalesce", "ifEmpty"]))(\(text), \(expression(.string, depth: 0)))"
    }
  }

  mutating func numberOfLibrary(depth: Int) -> String {
    switch dice.below(4) {
    case 0: return "characterCount(\(expression(.string, depth: depth)))"
    case 1:
      let locale = dice.chance(40) ? ", '\(dice.pick(LibraryWords.locales))'" : ""
      return "parseNumber(\(expression(.string, depth: depth))\(locale))"
    case 2: return "hash64(\(expression(dice.pick([.string, .data]), depth: depth)))"
    default: return "coalesce(\(expression(.number, depth: depth)), \(expression(.number, depth: 0)))"
    }
  }

  mutating func identifier(depth: Int) -> String {
    switch dice.below(4) {
    case 0: return "uuid()"
    case 1: return "uuid(\(expression(.string, depth: depth)), \(expression(kindOfValue(), depth: 0)))"
    case 2: return "stableUUID(\(expression(kindOfValue(), depth: depth)), \(expression(.string, depth: 0)))"
    default: return "parseUUID(CAST(\(expression(.uuid, depth: 0)), 'NSString'))"
    }
  }

  private mutating func kindOfValue() -> Kind {
    dice.pick([.number, .string, .date, .boolean, .uuid, .link, .data])
  }
}
