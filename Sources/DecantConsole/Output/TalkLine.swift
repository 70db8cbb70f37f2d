/// Shows the state of long work.
///
/// On a terminal it overwrites one line. Elsewhere it writes a line at most every second, if the text has changed or
/// the last line is ten seconds old.
package struct TalkLine {
  /// The seconds after which a line is written even if the text hasn't changed.
  package static let silence = 10.0

  private let console: Console
  private let isQuiet: Bool
  private let start = ContinuousClock.now
  private var lastShown = 0.0
  private var lastText = ""
  private var isShown = false

  package init(_ console: Console, isQuiet: Bool) {
    self.console = console
    self.isQuiet = isQuiet
  }

  /// Shows a text, unless the last one is too recent.
  package mutating func show(_ text: @autoclosure () -> String, at now: ContinuousClock.Instant = .now) {
    let elapsed = start.duration(to: now) / .seconds(1)
    guard !isQuiet, elapsed - lastShown >= (console.messages.isTerminal ? 0.1 : 1) else { return }
    let text = PlainText.of(text())
    guard console.messages.isTerminal || text != lastText || elapsed - lastShown >= Self.silence else { return }
    lastShown = elapsed
    lastText = text
    isShown = console.messages.isTerminal
    console.tell(
      isShown
        ? "\r\u{1b}[K" + TextWrap.shortened(text, to: console.messages.width - 1) : "decant: \(text)\n")
  }

  /// Removes the line from a terminal.
  package mutating func end() {
    if isShown { console.tell("\r\u{1b}[K") }
    isShown = false
  }
}
