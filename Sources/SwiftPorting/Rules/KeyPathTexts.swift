/// Writes `#keyPath(Nota.categoria.nombre)` as the text `"categoria.nombre"`.
enum KeyPathTexts {
  static func apply(to file: inout PortedCode) {
    let code = file.code
    for index in code.tokens.indices where code.isMark("#", at: index) && code.isWord("keyPath", at: index + 1)
    {
      guard code.isMark("(", at: index + 2), let end = code.closing(of: index + 2),
        let keys = keys(in: index + 3..<end, code)
      else {
        file.leave(at: index, "#keyPath doesn't exist on Linux; write the keys as a text")
        continue
      }
      let text = "\"\(keys.joined(separator: "."))\""
      let range = code.tokens[index].range.lowerBound..<code.tokens[end].range.upperBound
      file.change([SourceEdit(range: range, text: text)], at: index, "writes \(code.text(range)) as \(text)")
    }
  }

  /// The keys without the types at the start.
  private static func keys(in range: Range<Int>, _ code: SwiftCode) -> [String]? {
    var names: [String] = []
    for (position, index) in range.enumerated() {
      if position.isMultiple(of: 2) {
        guard let name = code.name(at: index) else { return nil }
        names.append(name)
      } else if !code.isMark(".", at: index) {
        return nil
      }
    }
    let keys = names.drop { $0.first?.isUppercase == true || $0 == "self" }
    return keys.isEmpty || range.count.isMultiple(of: 2) ? nil : Array(keys)
  }
}
