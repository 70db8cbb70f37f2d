/// A method behind the attribute `@objc`, by its name in Objective-C.
struct ObjectiveCMethod {
  let selector: String

  private static let prepositions: Set = [
    "above", "after", "along", "at", "before", "below", "by", "for", "from", "in", "into", "of", "on", "per",
    "to",
    "using", "via", "with", "within", "without",
  ]

  /// - Parameter last: The last token of the attribute. Only modifiers may be between it and `func`.
  init?(after last: Int, _ code: SwiftCode) {
    var place = last + 1
    while code.kind(at: place) == .word, !code.isWord("func", at: place) { place += 1 }
    guard code.isWord("func", at: place), var name = code.name(at: place + 1),
      code.isMark("(", at: place + 2), let end = code.closing(of: place + 2)
    else { return nil }
    let labels = Self.labels(in: place + 3..<end, code)
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

  private static func labels(in range: Range<Int>, _ code: SwiftCode) -> [String] {
    var labels: [String] = []
    var depth = 0
    var isStart = true
    for index in range {
      if isStart, let label = code.name(at: index) { labels.append(label) }
      isStart = false
      switch code.text(at: index) {
      case "(", "[", "<", "{": depth += 1
      case ")", "]", "}": depth -= 1
      // The arrow of a function's type closes nothing.
      case ">" where !code.isMark("-", at: index - 1): depth -= 1
      case "," where depth == 0: isStart = true
      default: break
      }
    }
    return labels
  }
}
