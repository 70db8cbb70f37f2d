/// The changes of a file while the rules look at it.
struct PortedCode {
  let code: SwiftCode
  private(set) var edits: [SourceEdit] = []
  private(set) var changes: [PortNote] = []
  /// What won't compile, or has to be looked at.
  private(set) var left: [PortNote] = []

  init(_ code: SwiftCode) { self.code = code }

  /// Changes a piece of code and names the line of a token.
  mutating func change(_ edits: [SourceEdit], at token: Int, _ text: String) {
    self.edits += edits
    changes.append(PortNote(line: line(of: token), text: text))
  }

  mutating func leave(at token: Int, _ text: String) {
    let note = PortNote(line: line(of: token), text: text)
    if !left.contains(note) { left.append(note) }
  }

  private func line(of token: Int) -> Int {
    code.tokens.indices.contains(token) ? code.line(at: code.tokens[token].range.lowerBound) : 1
  }

  var result: [UInt8] { SourceEdit.applied(edits, to: code.bytes) }
}
