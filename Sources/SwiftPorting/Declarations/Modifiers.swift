/// The modifiers before a declaration's keyword.
struct Modifiers {
  static let words: Set = [
    "public", "open", "internal", "package", "fileprivate", "private", "override", "required", "convenience",
    "final", "class", "static", "dynamic", "lazy", "weak", "nonisolated", "mutating",
  ]

  /// The modifiers with their first tokens, in the order of the file; `private(set)` is one modifier.
  let all: [(word: String, token: Int)]

  /// - Parameter keyword: The token after the modifiers: a keyword such as `func` or `class`, or the at sign of an
  ///   attribute.
  init(before keyword: Int, in code: SwiftCode) {
    var found: [(word: String, token: Int)] = []
    var place = keyword - 1
    while place >= 0 {
      var first = place
      if code.isMark(")", at: place), code.isWord("set", at: place - 1) { first = place - 3 }
      // The word of an attribute isn't a modifier.
      guard code.kind(at: first) == .word, Self.words.contains(code.text(at: first)),
        !code.isMark("@", at: first - 1)
      else { break }
      let range = code.tokens[first].range.lowerBound..<code.tokens[place].range.upperBound
      found.append((code.text(range), first))
      place = first - 1
    }
    all = found.reversed()
  }

  func contains(_ word: String) -> Bool { token(of: word) != nil }

  func token(of word: String) -> Int? { all.first { $0.word == word }?.token }
}
