/// A key path as plain text, as in archives and `%K`: `author.name`, `countries.@distinctUnionOfSets.moods`.
package enum KeyPathText {
  /// The steps; `nil` if a part is empty or an operator is unknown.
  package static func steps(of text: String) -> [KeyPath.Step]? {
    var steps: [KeyPath.Step] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      if part.isEmpty { return nil }
      if part.utf8.first == UInt8(ascii: "@") {
        guard let name = CollectionOperator(rawValue: String(part.dropFirst())) else { return nil }
        steps.append(.collection(name))
      } else {
        steps.append(.key(String(part)))
      }
    }
    return steps
  }

  /// The text of steps; `nil` if they have an index, or a key that would be read as something else.
  static func text(of steps: [KeyPath.Step]) -> String? {
    var parts: [String] = []
    for step in steps {
      switch step {
      case .key(let key):
        if key.isEmpty || key.utf8.contains(UInt8(ascii: ".")) || key.hasPrefix("@") { return nil }
        parts.append(key)
      case .collection(let name): parts.append("@" + name.rawValue)
      case .first, .last, .size, .index: return nil
      }
    }
    return parts.joined(separator: ".")
  }
}
