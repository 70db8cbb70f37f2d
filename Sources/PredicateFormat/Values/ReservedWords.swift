/// The words that can't be keys without `#` before them (docs/formats/predicate-format.md 1).
enum ReservedWords {
  static let all: Set<String> = [
    "AND", "OR", "NOT", "IN", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH",
    "ENDSWITH",
    "BETWEEN", "CASEINSENSITIVE", "CI", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST",
    "SIZE",
    "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  /// Words that are special only in some places; as keys they are always written with `#`.
  static let inPlace: Set<String> = ["FUNCTION", "TERNARY", "UNION", "INTERSECT", "MINUS"]

  static func needsMark(_ key: String) -> Bool {
    let word = key.uppercased()
    return all.contains(word) || inPlace.contains(word)
  }

  /// Whether a text can be written as a key: a letter or `_`, then letters, digits, combining marks, `_`.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, isStart(first) else { return false }
    return text.unicodeScalars.dropFirst().allSatisfy(isPart)
  }

  static func isStart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) }
    return scalar.properties.isAlphabetic && scalar.properties.numericType == nil
  }

  /// Whether a scalar can be inside a key.
  ///
  /// A combining mark belongs to the letter before it, so a key in either normal form is one word.
  static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return isStart(scalar) || ("0"..."9").contains(scalar) }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return true
    default: return isStart(scalar)
    }
  }
}
