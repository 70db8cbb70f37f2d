/// A token of Swift code; blanks and comments are tokens, too.
struct SwiftToken: Equatable {
  enum Kind: Equatable {
    /// A name or keyword, with its backticks.
    case word
    case number
    /// A string literal (“text”) or a regular expression (“pattern”), with its delimiters.
    ///
    /// Interpolated code has tokens of its own, between two tokens of the string literal.
    case text
    case comment
    case space
    /// One other character.
    case mark
  }

  let kind: Kind
  /// The token's bytes in the file.
  let range: Range<Int>
}
