/// A declaration with `@NSManaged`.
struct ManagedDeclaration {
  enum Member {
    /// - Parameter type: The code of the type.
    case property(name: String, type: String)
    case method(name: String, parameters: [Parameter])
    /// A form that isn't known.
    case other
  }

  struct Parameter {
    let label: String
    let name: String
    let type: String
  }

  /// The tokens `@` and `NSManaged`.
  let attribute: Range<Int>
  let member: Member
  /// The last token.
  let end: Int

  /// - Parameter index: The token `@`.
  init?(at index: Int, in code: SwiftCode) {
    guard code.isMark("@", at: index), code.isWord("NSManaged", at: index + 1) else { return nil }
    attribute = index..<index + 2
    var place = index + 2
    while place < code.tokens.count, !code.isWord("var", at: place), !code.isWord("func", at: place) {
      // Only modifiers and other attributes may be between.
      if code.isMark("(", at: place) {
        place = code.closing(of: place).map { $0 + 1 } ?? code.tokens.count
      } else if code.kind(at: place) == .word || code.isMark("@", at: place) {
        place += 1
      } else {
        break
      }
    }
    (member, end) =
      code.isWord("var", at: place)
      ? Self.property(at: place, code)
      : code.isWord("func", at: place) ? Self.method(at: place, code) : (.other, index + 1)
  }

  private static func property(at start: Int, _ code: SwiftCode) -> (Member, Int) {
    guard let name = code.name(at: start + 1), code.isMark(":", at: start + 2) else {
      return (.other, start + 1)
    }
    var place = start + 3
    while place < code.tokens.count {
      if let end = code.isMark("[", at: place) || code.isMark("(", at: place) ? code.closing(of: place) : nil {
        place = end
      }
      if code.isMark("<", at: place) {
        while place + 1 < code.tokens.count, !code.isMark(">", at: place) { place += 1 }
      }
      if code.endsLine(after: place) || code.isMark(";", at: place + 1) || code.isMark("}", at: place + 1) {
        break
      }
      place += 1
    }
    let last = min(place, code.tokens.count - 1)
    guard last >= start + 3 else { return (.other, start + 1) }
    let type = code.text(code.tokens[start + 3].range.lowerBound..<code.tokens[last].range.upperBound)
    let isPlain = !type.contains { "{}=;\n\r".contains($0) } && !type.contains("//") && !type.contains("/*")
    return (isPlain ? .property(name: name, type: type) : .other, last)
  }

  private static func method(at start: Int, _ code: SwiftCode) -> (Member, Int) {
    guard let name = code.name(at: start + 1), code.isMark("(", at: start + 2),
      let end = code.closing(of: start + 2), code.endsLine(after: end) || code.isMark("}", at: end + 1)
    else { return (.other, start + 1) }
    var parameters: [Parameter] = []
    var place = start + 3
    while place < end {
      guard let label = code.name(at: place) else { return (.other, end) }
      let second = code.name(at: place + 1)
      place += second == nil ? 1 : 2
      guard code.isMark(":", at: place) else { return (.other, end) }
      place += 1
      let first = place
      while place < end, !code.isMark(",", at: place) { place += 1 }
      guard first < place else { return (.other, end) }
      let type = code.text(code.tokens[first].range.lowerBound..<code.tokens[place - 1].range.upperBound)
      parameters.append(Parameter(label: label, name: second ?? label, type: type))
      place += 1
    }
    return (.method(name: name, parameters: parameters), end)
  }
}
