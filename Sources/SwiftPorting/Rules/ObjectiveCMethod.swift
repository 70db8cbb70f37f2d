/// The Objective-C name of a method with the attribute `@objc`.
struct ObjectiveCMethod {
  let selector: String

  private static let prepositions: Set = [
    "above", "after", "along", "at", "before", "below", "by", "for", "from", "in", "into", "of", "on", "per",
    "to",
    "using", "via", "with", "within", "without",
  ]

  /// Nil if no method follows the attribute.
  ///
  /// - Parameter last: The last token of the attribute. Only words may be between it and `func`.
  init?(after last: Int, _ code: SwiftCode) {
    var place = last + 1
    while code.kind(at: place) == .word, !code.isWord("func", at: place) { place += 1 }
    guard code.isWord("func", at: place), var name = code.name(at: place + 1),
      code.isMark("(", at: place + 2), let end = code.closing(of: place + 2), end < place + 300
    else { return nil }
    let labels = ParameterLabels.labels(in: place + 3..<end, code)
    if let first = labels.first {
      if first != "_" {
        let capitalised = first.prefix(1).uppercased() + first.dropFirst()
        let word = first.prefix { !$0.isUppercase }
        name += (Self.prepositions.contains(String(word)) ? "" : "With") + capitalised
      }
      name += ":"
    }
    selector = name + labels.dropFirst().map { ($0 == "_" ? "" : $0) + ":" }.joined()
  }
}
