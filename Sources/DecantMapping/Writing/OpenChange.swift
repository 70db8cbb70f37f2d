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

  /// The first word of an open change in a text: editors highlight this word, and people search for it.
  package static let mark = "TODO"  // A word of texts for users; no work is left here.

  /// How many of the choices a person has to make; the raw values are the words before the lines of the choices.
  package enum Decision: String, Sendable, Hashable, CaseIterable {
    case this = "To choose this, remove its “//”:"
    case theseLines = "To choose this, remove the “//” of its lines:"
    case one = "Choose one, and remove its “//”:"
    case oneOfLines = "Choose one, and remove the “//” of its lines:"
    /// From here to `elseOneOfLines`: the change can stay as it is.
    case elseThis = "Otherwise remove the “//” of this line:"
    case elseTheseLines = "Otherwise remove the “//” of these lines:"
    case elseOne = "Otherwise choose one, and remove its “//”:"
    case elseOneOfLines = "Otherwise choose one, and remove the “//” of its lines:"
    case oneForEachName = "Choose one line for each name, and remove its “//”:"
    case oneOrParts =
      "Choose one for all objects, or several with a filter each, and remove the “//” of their lines:"
    case unwanted =
      "To leave out the objects of an entity, remove the “//” of its line, and delete its entity mapping below:"

    /// The decision for exactly one of the choices.
    ///
    /// - Parameter canStay: Whether the person may also make none of the choices.
    static func one(of choices: [Choice], canStay: Bool) -> Decision {
      let hasLines = choices.contains { $0.lines.count > 1 }
      if choices.count == 1 {
        return canStay ? (hasLines ? .elseTheseLines : .elseThis) : hasLines ? .theseLines : .this
      }
      return canStay ? (hasLines ? .elseOneOfLines : .elseOne) : hasLines ? .oneOfLines : .one
    }
  }

  /// Sentences about what changes, and about what happens without a choice.
  package let problem: String
  package let choices: [Choice]
  package let decision: Decision

  /// - Parameters:
  ///   - decision: How many of the choices a person has to make; `nil` for exactly one.
  ///   - canStay: Whether the person may also make no choice; this has no effect with a `decision`.
  init(problem: String, choices: [Choice], decision: Decision? = nil, canStay: Bool = false) {
    self.problem = problem
    self.choices = choices
    self.decision = decision ?? .one(of: choices, canStay: canStay)
  }

  /// The change as comments of a text: the problem, then the choices.
  ///
  /// To make a choice, a person removes the first `//` from its lines.
  var lines: [String] {
    let hint = choices.isEmpty ? "" : " \(decision.rawValue)"
    return JSON5Text.comments("\(Self.mark): \(problem)\(hint)")
      + choices.flatMap { choice in
        // Text after a line of a choice stays a comment.
        choice.lines.enumerated().map { index, line in
          "// \(line)" + (index == 0 ? "  \(JSON5Text.comment(choice.meaning))" : "")
        }
      }
  }
}

/// The open changes of a text, by the place of their lines.
package struct OpenChanges: Sendable, Hashable {
  /// The open changes of one entity mapping.
  struct Rows: Sendable, Hashable {
    /// The changes of the entity mapping's other keys; their lines come before these keys.
    var keys: [OpenChange] = []
    var attributes: [OpenChange] = []
    var relationships: [OpenChange] = []
    /// The properties that have lines to choose from, and so no line of their own.
    var undecided: Set<String> = []
    /// Whether the whole entity mapping is only a comment, because it belongs to a change of `entities`.
    var isComment = false
  }

  /// By the index of the entity mapping.
  var rows: [Int: Rows] = [:]
  /// The changes of whole entities; their lines come before all entity mappings.
  var entities: [OpenChange] = []

  /// All open changes: first those of whole entities, then those of each entity mapping, in the order of the text.
  package var all: [OpenChange] {
    entities
      + rows.sorted { $0.key < $1.key }.map(\.value).filter { !$0.isComment }
      .flatMap { $0.keys + $0.attributes + $0.relationships }
  }
}
