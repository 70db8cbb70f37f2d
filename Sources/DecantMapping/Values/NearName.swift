/// Finds the known name that a misspelt name probably means.
package enum NearName {
  /// The name that differs from a word by the fewest typing mistakes, if there are few mistakes.
  ///
  /// Case doesn't count. A name with the same letters and digits is preferred.
  ///
  /// - Parameter completes: Whether a name that begins with the word comes before all others. It must be the only such
  ///   name, and the word must have at least two characters.
  /// - Returns: `nil` if no name is near, and for a word that is empty or has more than 60 characters.
  package static func of(
    _ word: String, among names: some Sequence<String>, completes: Bool = false
  ) -> String? {
    guard !word.isEmpty, word.count <= 60 else { return nil }
    let lower = word.lowercased()
    if completes, lower.count > 1 {
      let starting = names.filter { $0.lowercased().hasPrefix(lower) }
      if starting.count == 1 { return starting[0] }
    }
    let letters = letters(of: word)
    if !letters.isEmpty, let same = names.first(where: { Self.letters(of: $0) == letters }) { return same }
    var best: (name: String, mistakes: Int)?
    for name in names where name.count <= 60 {
      let mistakes = mistakes(lower, name.lowercased())
      guard mistakes <= max(1, min(3, word.count / 2)), mistakes < name.count else { continue }
      if best.map({ mistakes < $0.mistakes }) ?? true { best = (name, mistakes) }
    }
    return best?.name
  }

  /// The names for a message, in their order.
  ///
  /// If there are many, the text has only the first ones and the number of the others.
  package static func list(_ names: [String]) -> String {
    names.prefix(listed).joined(separator: ", ")
      + (names.count > listed ? " and \(names.count - listed) more" : "")
  }

  private static let listed = 12

  /// The letters and digits only: “Notes3” and “Notes 3” have the same.
  private static func letters(of name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours that turn one name into the other.
  static func mistakes(_ first: String, _ second: String) -> Int {
    let (left, right) = (Array(first), Array(second))
    var before: [Int] = []
    var last = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var next = [row + 1]
      for (column, other) in right.enumerated() {
        var best = min(last[column + 1] + 1, next[column] + 1, last[column] + (character == other ? 0 : 1))
        if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
          best = min(best, before[column - 1] + 1)
        }
        next.append(best)
      }
      (before, last) = (last, next)
    }
    return last[right.count]
  }
}
