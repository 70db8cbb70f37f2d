/// Finds the types and extensions of a file.
enum TypeReader {
  private static let keywords: [String: TypeDeclaration.Kind] = [
    "class": .type, "struct": .type, "actor": .type, "protocol": .type, "enum": .enumeration,
    "extension": .addition, "typealias": .alias,
  ]
  /// Words after `class` that make it a modifier.
  private static let members: Set = [
    "func", "var", "let", "subscript", "override", "final", "private", "public",
  ]
  /// The largest number of tokens between a type's name and its brace.
  private static let headLimit = 100

  static func declarations(in code: SwiftCode) -> [TypeDeclaration] {
    code.tokens.indices.compactMap { declaration(at: $0, code) }
  }

  private static func declaration(at index: Int, _ code: SwiftCode) -> TypeDeclaration? {
    guard code.kind(at: index) == .word, let kind = keywords[code.text(at: index)],
      !code.isMark(".", at: index - 1), !code.isWord("import", at: index - 1),
      let first = code.name(at: index + 1), !members.contains(first)
    else { return nil }
    let limit = min(code.tokens.count, index + headLimit)
    var (name, written, place) = (first, first, index + 2)
    while place < limit, code.isMark(".", at: place), let next = code.name(at: place + 1) {
      (name, written, place) = (next, "\(written).\(next)", place + 2)
    }
    place = afterGenerics(place, code, limit)
    guard kind != .alias else {
      return TypeDeclaration(
        kind: kind, name: name, written: written, inherited: aliased(at: place, code, limit), token: index + 1,
        body: place..<place)
    }
    var inherited: [String] = []
    if code.isMark(":", at: place) {
      place += 1
      while place < limit, !code.isMark("{", at: place), !code.isWord("where", at: place) {
        // A dotted name counts by its last component, and a generic type by its name without arguments.
        if let word = code.name(at: place), !code.isMark(".", at: place + 1) { inherited.append(word) }
        place = afterGenerics(place + 1, code, limit)
      }
    }
    while place < limit, !code.isMark("{", at: place) { place += 1 }
    guard place < limit else { return nil }
    return TypeDeclaration(
      kind: kind, name: name, written: written, inherited: inherited, token: index + 1,
      body: place + 1..<(code.closing(of: place) ?? code.tokens.count))
  }

  private static func aliased(at start: Int, _ code: SwiftCode, _ limit: Int) -> [String] {
    var place = start + 1
    guard code.isMark("=", at: start), var name = code.name(at: place) else { return [] }
    while place < limit, code.isMark(".", at: place + 1), let next = code.name(at: place + 2) {
      (name, place) = (next, place + 2)
    }
    return [name]
  }

  /// The token after a list in angle brackets, or the token itself if no list begins there.
  private static func afterGenerics(_ start: Int, _ code: SwiftCode, _ limit: Int) -> Int {
    guard code.isMark("<", at: start) else { return start }
    var (depth, place) = (0, start)
    repeat {
      if code.isMark("<", at: place) { depth += 1 }
      if code.isMark(">", at: place) { depth -= 1 }
      place += 1
    } while depth > 0 && place < limit
    return place
  }
}
