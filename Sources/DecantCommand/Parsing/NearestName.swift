internal import DecantMapping

/// Finds the word that the user probably meant.
enum NearestName {
  /// The only word with this beginning, else the word with the fewest typing mistakes, if there are few.
  static func of(_ word: String, among names: [String]) -> String? {
    guard !word.isEmpty, word.count <= 40 else { return nil }
    let starting = names.filter { $0.hasPrefix(word.lowercased()) }
    if word.count > 1, starting.count == 1 { return starting[0] }
    return NearName.of(word, among: names)
  }
}
