internal import DecantModel

/// Makes texts of a string attribute within its limits.
///
/// A text may break the limits of length if hardly any text of the attribute's pattern has an allowed length, or if
/// texts with a pattern must be unique.
struct TextSource: Sendable {
  private let minimum: Int
  private let maximum: Int
  private let pattern: TextPattern?

  /// Lengths are in UTF-16 units, as in Core Data's validation.
  init(_ limits: Attribute.Limits, pattern: TextPattern?) {
    func length(_ value: AttributeValue?) -> Int? {
      if case .integer(let length)? = value { Int(clamping: length) } else { nil }
    }
    minimum = min(max(0, length(limits.minimum) ?? 0), 100_000)
    maximum = max(minimum, length(limits.maximum) ?? .max)
    self.pattern = pattern
  }

  /// The number of different texts that `unique` gives.
  var capacity: UInt64 {
    if let pattern { return pattern.capacity }
    return maximum >= 40 ? .max : Self.power(36, maximum)
  }

  func text(_ random: inout SplitMix64) -> String {
    if let pattern {
      var text = pattern.text(&random)
      for _ in 0..<16 where !(minimum...maximum).contains(text.utf16.count) { text = pattern.text(&random) }
      return text
    }
    let phrases = SampleText.phrases
    var text = phrases[random.below(phrases.count)]
    switch random.below(32) {
    case 0: text = ""
    case 1: for _ in 0..<(8 + random.below(40)) { text += ". " + phrases[random.below(phrases.count)] }
    case 2..<8: text += " " + phrases[random.below(phrases.count)]
    case 8..<20: text += " " + String(random.below(1_000_000))
    default: break
    }
    return fitted(text)
  }

  func unique(_ number: UInt64, _ random: inout SplitMix64) -> String {
    if let pattern { return pattern.text(numbered: number) }
    let digits = String(number, radix: 36)
    guard maximum >= 40 else {
      let width = max(minimum, min(maximum, 12))
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let word = SampleText.words[random.below(SampleText.words.count)]
    return padded(word + " #" + digits)
  }

  private func fitted(_ text: String) -> String {
    guard maximum < .max || minimum > 0 else { return text }
    var count = text.utf16.count
    if count > maximum {
      var short = ""
      count = 0
      for character in text {
        let more = String(character).utf16.count
        guard count + more <= maximum else { break }
        short.append(character)
        count += more
      }
      return padded(short)
    }
    return padded(text)
  }

  private func padded(_ text: String) -> String {
    let missing = minimum - text.utf16.count
    return missing > 0 ? String(repeating: "x", count: missing) + text : text
  }

  private static func power(_ base: UInt64, _ exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<min(exponent, 64) {
      let (product, overflows) = power.multipliedReportingOverflow(by: base)
      if overflows { return .max }
      power = product
    }
    return power
  }
}
