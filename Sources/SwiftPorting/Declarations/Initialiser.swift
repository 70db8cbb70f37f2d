/// An initialiser that a type declares.
struct Initialiser {
  /// The token `init`.
  let token: Int
  let modifiers: Modifiers
  let labels: [String]

  /// Nil if the token isn't the `init` of a declaration.
  init?(at index: Int, in code: SwiftCode) {
    guard code.isWord("init", at: index), !code.isMark(".", at: index - 1) else { return nil }
    var open = index + 1
    if code.isMark("?", at: open) || code.isMark("!", at: open) { open += 1 }
    guard code.isMark("(", at: open), let end = code.closing(of: open), end < open + 300 else { return nil }
    token = index
    modifiers = Modifiers(before: index, in: code)
    labels = ParameterLabels.labels(in: open + 1..<end, code)
  }
}
