/// The ids of a relationship, parsed one by one from their bytes, so that a long list takes no memory beyond its text.
struct XMLIDList {
  package enum Item: Equatable {
    /// The number of an id.
    case key(Int64)
    /// The start of a word that isn't an id.
    case wrong(String)
  }

  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  mutating func next() -> Item? {
    rest = rest.drop(while: XMLScanner.isSpace)
    let word = rest.prefix { !XMLScanner.isSpace($0) }
    rest = rest[word.endIndex...]
    guard !word.isEmpty else { return nil }
    return XMLObject.key(of: Substring(word)).map(Item.key)
      ?? .wrong(String(decoding: word.prefix(40), as: UTF8.self))
  }
}
