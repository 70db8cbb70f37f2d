/// Removes the attributes that only the Objective-C runtime uses.
enum ObjectiveCNames {
  private static let attributes: Set = ["objc", "objcMembers", "nonobjc"]

  static func apply(to file: inout PortedCode, _ types: AppTypes) {
    let code = file.code
    let declarations = Declarations(code)
    for index in code.tokens.indices where code.isMark("@", at: index) {
      guard let word = code.name(at: index + 1), attributes.contains(word) else { continue }
      var last = index + 1
      var name: String?
      if word == "objc", code.isMark("(", at: index + 2), let end = code.closing(of: index + 2) {
        name = code.text(code.tokens[index + 2].range.upperBound..<code.tokens[end].range.lowerBound)
        last = end
      }
      let range = code.tokens[index].range.lowerBound..<code.tokens[last].range.upperBound
      file.change([.removal(of: range, in: code)], at: index, "removes \(code.text(range))")
      say(name, after: last, word, &file, declarations, types)
    }
  }

  /// Notes what a developer has to do because an attribute was removed.
  private static func say(
    _ name: String?, after last: Int, _ word: String, _ file: inout PortedCode,
    _ declarations: Declarations, _ types: AppTypes
  ) {
    let code = file.code
    if word == "objc", let method = ObjectiveCMethod(after: last, code),
      let owner = declarations.owner(of: last),
      types.isKind(owner.name, of: MigrationNames.policy)
    {
      let selector = name ?? method.selector
      file.leave(
        at: last,
        "if a mapping model calls “\(selector)” with FUNCTION, override invoke(_:with:) for it "
          + "(docs/core-data-names.md)")
    }
    guard let name, let type = declarations.first(after: last), type.kind == .type,
      type.name != name, isHeaded(from: last + 1, to: type.token - 1, code)
    else { return }
    file.leave(
      at: last,
      "models and mapping models may name this class “\(name)”, as in Objective-C; on Linux they must name it "
        + "“\(type.name)”"
    )
  }

  /// Whether there are only modifiers and attributes before a type's keyword.
  private static func isHeaded(from start: Int, to keyword: Int, _ code: SwiftCode) -> Bool {
    start <= keyword && keyword - start < 100
      && (start..<keyword).allSatisfy { index in
        code.isMark("@", at: index)
          || code.kind(at: index) == .word
            && !["func", "var", "init", "NSManaged"].contains(code.text(at: index))
      }
  }
}
