internal import DecantConsole
internal import DecantModel
internal import SwiftPorting

/// The report of `decant port`.
struct PortText {
  private let output: PortOutput
  private let width: Int

  init(_ output: PortOutput, width: Int) {
    self.output = output
    self.width = min(width, 100)
  }

  func lines(isQuiet: Bool) -> [String] {
    let files = output.plan.files
    var lines: [String] = []
    for file in files where !isQuiet || !file.left.isEmpty {
      lines.append(PlainText.of(file.path))
      if !isQuiet { lines += file.changes.map { note("line \($0.line): \($0.text)") } }
      lines += file.left.map { note("left, line \($0.line): \($0.text)") }
      if file.changes.isEmpty, file.left.isEmpty { lines.append("  nothing to change") }
    }
    lines += output.plan.sameNames.map {
      wrapped("left: several files are called \($0); a module can't have two files of one name: rename one")
    }
    if isQuiet { return lines }
    let skipped =
      Self.skipped(output.skipped, tests: output.plan.tests)
      + output.plan.unused.map { "\($0.path) \($0.reason)" }
    if !skipped.isEmpty { lines += ["", "Not copied:"] + skipped.map(note) }
    let left = files.map(\.left.count).reduce(0, +) + output.plan.sameNames.count
    let done = "\(counted(files.count, "file")), \(counted(left, "place")) left to look at"
    lines += [
      "",
      wrapped(output.place.map { "Written to \($0): \(done)." } ?? "\(done); --output DIR writes the files."),
    ]
    return lines + [
      wrapped(
        "The worker's target needs the products \(output.products.joined(separator: ", ")) of the package decant. "
          + "“decant worker new DIR” writes a package that has all of them."
      ),
      wrapped(
        "The worker's file begins with “import DecantWorker”, and main() of its @main type has this line:"),
      "  " + PlainText.of(output.start),
    ]
  }

  static func skipped(_ skipped: [AppFolder.Skipped], tests: [String]) -> [String] {
    skipped.map { "\($0.path) \($0.reason)" } + tests.map { "\($0) is a test" }
  }

  private func note(_ text: String) -> String {
    "  " + TextWrap.wrap(PlainText.of(text), width: width, indent: 4, first: 2)
  }

  private func wrapped(_ text: String) -> String {
    TextWrap.wrap(PlainText.of(text), width: width, indent: 2)
  }
}
