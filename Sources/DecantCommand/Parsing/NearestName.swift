/// Finds what somebody probably meant.
enum NearestName {
  /// The name with the fewest typing mistakes, where there are few.
  static func of(_ word: String, among names: [String]) -> String? {
    guard !word.isEmpty, word.count <= 40 else { return nil }
    let starting = names.filter { $0.hasPrefix(word.lowercased()) }
    if word.count > 1, starting.count == 1 { return starting[0] }
    let ranked = names.map { ($0, distance(word.lowercased(), $0)) }.min { $0.1 < $1.1 }
    guard let (name, mistakes) = ranked, mistakes <= max(1, min(3, word.count / 2)), mistakes < name.count
    else {
      return nil
    }
    return name
  }

  /// Insertions, deletions, replacements and swaps of neighbours.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
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
