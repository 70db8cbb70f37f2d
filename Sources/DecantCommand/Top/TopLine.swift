/// A line of a screen, with its look on a terminal with colours.
struct TopLine: Sendable, Hashable {
  enum Look: String, Sendable {
    case plain = ""
    case title = "1"
    case good = "32"
    case bad = "31"
    case quiet = "2"
  }

  let text: String
  let look: Look

  init(_ text: String, _ look: Look = .plain) {
    self.text = text
    self.look = look
  }

  /// The text for a terminal, without a line break.
  func bytes(inColour: Bool) -> String {
    inColour && look != .plain ? "\u{1b}[\(look.rawValue)m\(text)\u{1b}[0m" : text
  }
}
