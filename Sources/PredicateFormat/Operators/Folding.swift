internal import Foundation

/// Removes the differences of case (`[c]`) or diacritics (`[d]`) from strings.
///
/// Foundation folds the string without a locale, so a result doesn't depend on the machine. A folded string is then
/// decomposed, so both normal forms of a text are equal. Without these options nothing is folded: `n` and `l` don't
/// change a string.
enum Folding {
  static func text(_ text: String, _ options: ComparisonOptions) -> String {
    guard options.isFolding else { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseInsensitive) ? text.lowercased() : text
    }
    var folding: String.CompareOptions = []
    if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
    return text.folding(options: folding, locale: nil).decomposedStringWithCanonicalMapping
  }
}

extension ComparisonOptions {
  var isFolding: Bool { !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]) }
}
