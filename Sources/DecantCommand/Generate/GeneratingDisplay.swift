internal import DecantStore

/// Shows how far a synthetic store has come: a bar on a terminal, a line now and then elsewhere.
struct GeneratingDisplay {
  private let console: Console
  private let start = ContinuousClock.now
  private var lastShown = 0.0
  private var isBarShown = false

  init(_ console: Console) {
    self.console = console
  }

  mutating func show(_ progress: SyntheticStore.Progress) {
    let elapsed = start.duration(to: .now) / .seconds(1)
    guard elapsed - lastShown >= (console.messages.isTerminal ? 0.1 : 1) else { return }
    lastShown = elapsed
    let work = progress.table.map { PlainText.of($0) } ?? "indexes"
    let text =
      "\(Quantity.count(progress.rowsDone)) of \(Quantity.count(progress.rowsTotal, "row")), \(work)"
    isBarShown = console.messages.isTerminal
    console.tell(
      isBarShown
        ? "\r\u{1b}[K" + TextWrap.shortened(text, to: console.messages.width - 1) : "decant: \(text)\n")
  }

  mutating func end() {
    if isBarShown { console.tell("\r\u{1b}[K") }
    isBarShown = false
  }
}
