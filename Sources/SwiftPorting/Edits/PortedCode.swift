/// A file, with the changes and notes of the rules so far.
struct PortedCode {
  let code: SwiftCode
  private(set) var edits: [SourceEdit] = []
  private(set) var changes: [PortNote] = []
  /// Notes about code that won't compile, or that a developer has to check.
  private(set) var left: [PortNote] = []

  private var said: Set<PortNote> = []

  init(_ code: SwiftCode) { self.code = code }

  /// Adds edits, and a note about them for the line of a token.
  mutating func change(_ edits: [SourceEdit], at token: Int, _ text: String) {
    self.edits += edits
    changes.append(PortNote(line: line(of: token), text: text))
  }

  /// Adds a note about code that a developer has to look at; equal notes are added only once.
  mutating func leave(at token: Int, _ text: String) {
    let note = PortNote(line: line(of: token), text: text)
    if said.insert(note).inserted { left.append(note) }
  }

  private func line(of token: Int) -> Int {
    code.tokens.indices.contains(token) ? code.line(at: code.tokens[token].range.lowerBound) : 1
  }

  var result: [UInt8] { SourceEdit.applied(edits, to: code.bytes) }
}
