/// A piece of Swift code.
struct SwiftToken: Equatable {
  enum Kind: Equatable {
    /// A name or keyword, with its backticks.
    case word
    case number
    /// A text or pattern with its delimiters.
    ///
    /// Interpolated code has tokens of its own, between two texts.
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
