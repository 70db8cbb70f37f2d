/// Decant's own functions, in addition to the language's (docs/functions.md).
///
/// No function has the name of a function of the language. Parts of a text are found by their UTF-8 bytes, except with
/// regular expressions. Places and lengths count characters as a reader sees them (grapheme clusters).
package enum Library {
  package static let all: [LibraryFunction] =
    Splitting.functions + Cutting.functions + Replacing.functions + Patterns.functions + LetterCase.functions
    + Padding.functions + NumberTexts.functions + DateTexts.functions + Absence.functions + Hashing.functions
    + Identifying.functions

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The function of a name, with or without a colon at its end.
  package static func function(_ name: String) -> LibraryFunction? {
    byName[name.hasSuffix(":") ? String(name.dropLast()) : name]
  }
}
