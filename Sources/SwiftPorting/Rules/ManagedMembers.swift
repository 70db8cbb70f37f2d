/// Writes `@NSManaged` members as computed properties and methods that use key-value access.
enum ManagedMembers {
  static func apply(to file: inout PortedCode, _ types: AppTypes) {
    let code = file.code
    let declarations = Declarations(code)
    for index in code.tokens.indices {
      guard let found = ManagedDeclaration(at: index, in: code) else { continue }
      let owner = declarations.owner(of: index)?.name ?? ""
      let bodies = bodies(of: found.member, in: owner, types)
      guard !bodies.isEmpty, bodies.count == 1 || !hasComment(found, code) else {
        file.leave(
          at: index,
          "this form of @NSManaged isn't known; write a computed property or method that uses value(forKey:) and "
            + "setValue(_:forKey:)")
        continue
      }
      let indent = code.indentation(at: code.tokens[index].range.lowerBound)
      let step = code.step(for: indent)
      let texts = bodies.map { body in
        (["{"] + body.lines.map { indent + step + $0 } + [indent + "}"]).joined(separator: code.lineEnd)
      }
      let attribute =
        code.tokens[found.attribute.lowerBound].range.lowerBound..<code.tokens[index + 1].range.upperBound
      var edits: [SourceEdit] = [.removal(of: attribute, in: code)]
      let last = code.tokens[found.end].range
      if case .properties(let properties) = found.member, properties.count > 1 {
        let modifiers = modifiers(of: found, code).map { $0 + " " }.joined()
        let declarations = zip(properties, texts).map { property, text in
          "var \(property.name): \(property.type) \(text)"
        }
        edits.append(
          SourceEdit(
            range: code.tokens[found.keyword].range.lowerBound..<last.upperBound,
            text: declarations.joined(separator: code.lineEnd + indent + modifiers)))
      } else {
        edits.append(SourceEdit(range: last.upperBound..<last.upperBound, text: " " + texts[0]))
      }
      for body in bodies {
        file.change(edits, at: index, body.change)
        edits = []
        for remark in body.remarks { file.leave(at: index, remark) }
      }
    }
  }

  /// The modifiers before and after the attribute; each further property of a list needs them, too.
  private static func modifiers(of found: ManagedDeclaration, _ code: SwiftCode) -> [String] {
    (Modifiers(before: found.attribute.lowerBound, in: code).all
      + Modifiers(before: found.keyword, in: code).all.filter { $0.token >= found.attribute.upperBound })
      .map(\.word)
  }

  /// If a list of several properties is rewritten, a comment within the declaration would be lost.
  private static func hasComment(_ found: ManagedDeclaration, _ code: SwiftCode) -> Bool {
    let range = code.tokens[found.keyword].range.lowerBound..<code.tokens[found.end].range.upperBound
    return code.text(range).contains("//") || code.text(range).contains("/*")
  }

  private static func bodies(of member: ManagedDeclaration.Member, in owner: String, _ types: AppTypes)
    -> [MemberBody]
  {
    switch member {
    case .properties(let properties):
      properties.map { ManagedProperty(name: $0.name, type: $0.type, rawTypes: types.rawTypes).body }
    case .method(let name, let parameters):
      [
        ManagedMethod(name: name, parameters: parameters, properties: types.managed[owner] ?? [:])?.body
      ].compactMap(\.self)
    case .other: []
    }
  }
}
