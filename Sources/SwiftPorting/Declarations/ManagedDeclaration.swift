/// A declaration with `@NSManaged`.
struct ManagedDeclaration {
  enum Member {
    /// One property, or several in one declaration: `var a: Int32, b: Double`.
    case properties([Property])
    case method(name: String, parameters: [Parameter])
    /// A form of declaration that isn't known.
    case other
  }

  struct Property {
    let name: String
    /// The code of the type.
    let type: String
  }

  struct Parameter {
    let label: String
    let name: String
    let type: String
  }

  /// The tokens `@` and `NSManaged`.
  let attribute: Range<Int>
  let member: Member
  /// The token `var` or `func`; for `other`, it can be another token.
  let keyword: Int
  /// The last token of the declaration; for `other`, it can be an earlier token.
  let end: Int

  /// Nil if the token doesn't begin the attribute `@NSManaged`.
  ///
  /// - Parameter index: The token `@`.
  init?(at index: Int, in code: SwiftCode) {
    guard code.isMark("@", at: index), code.isWord("NSManaged", at: index + 1) else { return nil }
    attribute = index..<index + 2
    var place = index + 2
    let limit = min(code.tokens.count, index + 30)
    while place < limit, !code.isWord("var", at: place), !code.isWord("func", at: place) {
      // Only modifiers and other attributes may be before the keyword.
      if code.isMark("(", at: place) {
        place = code.closing(of: place).map { $0 + 1 } ?? code.tokens.count
      } else if code.kind(at: place) == .word || code.isMark("@", at: place) {
        place += 1
      } else {
        break
      }
    }
    keyword = place
    (member, end) =
      code.isWord("var", at: place)
      ? Self.properties(at: place, code)
      : code.isWord("func", at: place) ? Self.method(at: place, code) : (.other, index + 1)
  }

  private static func properties(at start: Int, _ code: SwiftCode) -> (Member, Int) {
    var properties: [Property] = []
    // The names before a name with a type: in `var a, b: Int32`, this is `a`.
    var waiting: [String] = []
    var place = start + 1
    while properties.count + waiting.count < 100 {
      guard let name = code.name(at: place) else { break }
      if code.isMark(",", at: place + 1) {
        waiting.append(name)
        place += 2
        continue
      }
      guard code.isMark(":", at: place + 1), let (type, last) = type(from: place + 2, code) else { break }
      properties += (waiting + [name]).map { Property(name: $0, type: type) }
      waiting = []
      guard code.isMark(",", at: last + 1) else { return (.properties(properties), last) }
      place = last + 2
    }
    return (.other, start + 1)
  }

  /// The code of a type, and its last token.
  private static func type(from start: Int, _ code: SwiftCode) -> (String, Int)? {
    var place = start
    let limit = min(code.tokens.count, start + 100)
    while place < limit {
      if let end = code.isMark("[", at: place) || code.isMark("(", at: place) ? code.closing(of: place) : nil {
        place = end
      }
      if code.isMark("<", at: place) {
        while place + 1 < limit, !code.isMark(">", at: place) { place += 1 }
      }
      if code.isMark(",", at: place + 1) || code.endsLine(after: place) || code.isMark(";", at: place + 1)
        || code.isMark("}", at: place + 1)
      {
        break
      }
      place += 1
    }
    let last = min(place, code.tokens.count - 1)
    guard last >= start, last < limit else { return nil }
    let type = code.text(code.tokens[start].range.lowerBound..<code.tokens[last].range.upperBound)
    let isPlain = !type.contains { "{}=;\n\r".contains($0) } && !type.contains("//") && !type.contains("/*")
    return isPlain ? (type, last) : nil
  }

  private static func method(at start: Int, _ code: SwiftCode) -> (Member, Int) {
    guard let name = code.name(at: start + 1), code.isMark("(", at: start + 2),
      let end = code.closing(of: start + 2), end < start + 300,
      code.endsLine(after: end) || code.isMark("}", at: end + 1)
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
