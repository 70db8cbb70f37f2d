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

  static func declarations(in code: SwiftCode) -> [TypeDeclaration] {
    code.tokens.indices.compactMap { declaration(at: $0, code) }
  }

  private static func declaration(at index: Int, _ code: SwiftCode) -> TypeDeclaration? {
    guard code.kind(at: index) == .word, let kind = keywords[code.text(at: index)],
      !code.isMark(".", at: index - 1), let first = code.name(at: index + 1), !members.contains(first)
    else { return nil }
    var (name, place) = (first, index + 2)
    while code.isMark(".", at: place), let next = code.name(at: place + 1) {
      (name, place) = (next, place + 2)
    }
    if code.isMark("<", at: place) { place = afterGenerics(place, code) }
    var inherited: [String] = []
    if code.isMark(":", at: place) {
      place += 1
      while place < code.tokens.count, !code.isMark("{", at: place), !code.isWord("where", at: place) {
        // Of a dotted name the last component counts.
        if let word = code.name(at: place), !code.isMark(".", at: place + 1) { inherited.append(word) }
        place += 1
      }
    }
    while place < code.tokens.count, kind != .alias, !code.isMark("{", at: place) { place += 1 }
    let end = kind == .alias ? nil : code.closing(of: place)
    return TypeDeclaration(
      kind: kind, name: name, inherited: inherited, token: index + 1,
      body: kind == .alias ? place..<place : min(place + 1, code.tokens.count)..<(end ?? code.tokens.count))
  }

  private static func afterGenerics(_ start: Int, _ code: SwiftCode) -> Int {
    var (depth, place) = (0, start)
    repeat {
      if code.isMark("<", at: place) { depth += 1 }
      if code.isMark(">", at: place) { depth -= 1 }
      place += 1
    } while depth > 0 && place < code.tokens.count
    return place
  }
}
