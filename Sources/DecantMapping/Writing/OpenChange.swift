/// A change that a person has to decide about, with the lines that a text can have for it.
package struct OpenChange: Sendable, Hashable {
  /// Lines of a text that belong together, with their effect.
  package struct Choice: Sendable, Hashable {
    package let lines: [String]
    /// The effect, without a full stop.
    package let meaning: String

    init(_ line: String, _ meaning: String) { self.init([line], meaning) }

    init(_ lines: [String], _ meaning: String) {
      self.lines = lines
      self.meaning = meaning
    }
  }

  /// The first word of an open change in a text: the one that editors highlight and that people search for.
  package static let mark = "TODO"  // A word of texts for users; no work is left here.

  /// What stands before the lines to choose from, for one line and for several.
  static let hints = [" To choose this, remove its “//”:", " Choose one, and remove its “//”:"]

  /// What changes, and what happens without a choice; sentences.
  package let problem: String
  package let choices: [Choice]

  /// The change as comments of a text: the problem, then the choices, which become lines without their first `//`.
  var lines: [String] {
    let hint =
      switch choices.count {
      case 0: ""
      case 1: Self.hints[0]
      default: Self.hints[1]
      }
    return JSON5Text.comments("\(Self.mark): \(problem)\(hint)")
      + choices.flatMap { choice in
        // Text after a line of a choice stays a comment.
        choice.lines.enumerated().map { index, line in
          "// \(line)" + (index == 0 ? "  \(JSON5Text.comment(choice.meaning))" : "")
        }
      }
  }
}

/// The changes of a text that are still open, by the place where its lines stand.
package struct OpenChanges: Sendable, Hashable {
  /// The open changes of one entity mapping.
  struct Rows: Sendable, Hashable {
    /// Before its keys.
    var keys: [OpenChange] = []
    var attributes: [OpenChange] = []
    var relationships: [OpenChange] = []
    /// The properties that have lines to choose from, and so no line of their own.
    var undecided: Set<String> = []
    /// Whether the whole entity mapping is only a comment: a choice of a change of `entities`.
    var isComment = false
  }

  /// By the index of the entity mapping.
  var rows: [Int: Rows] = [:]
  /// Before all entity mappings.
  var entities: [OpenChange] = []

  /// All open changes: those of whole entities first, then in the order of the text.
  package var all: [OpenChange] {
    entities
      + rows.sorted { $0.key < $1.key }.map(\.value).filter { !$0.isComment }
      .flatMap { $0.keys + $0.attributes + $0.relationships }
  }
}
