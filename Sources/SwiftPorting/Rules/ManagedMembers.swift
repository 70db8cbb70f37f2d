/// Writes `@NSManaged` members as computed properties and methods over key-value access.
enum ManagedMembers {
  static func apply(to file: inout PortedCode, _ types: AppTypes) {
    let code = file.code
    let declarations = TypeReader.declarations(in: code)
    for index in code.tokens.indices {
      guard let found = ManagedDeclaration(at: index, in: code) else { continue }
      let owner = declarations.last { $0.body.contains(index) }?.name ?? ""
      guard let body = body(of: found.member, in: owner, types) else {
        file.leave(at: index, "this form of @NSManaged isn't known; write it over value(forKey:) and setValue")
        continue
      }
      let last = code.tokens[found.end].range
      let indent = code.indentation(at: code.tokens[index].range.lowerBound)
      let step =
        indent.contains("\t") ? "\t" : indent.count >= 4 && indent.count.isMultiple(of: 4) ? "    " : "  "
      let lines = ["{"] + body.lines.map { indent + step + $0 } + [indent + "}"]
      let attribute =
        code.tokens[found.attribute.lowerBound].range.lowerBound..<code.tokens[index + 1].range.upperBound
      file.change(
        [
          .removal(of: attribute, in: code),
          SourceEdit(
            range: last.upperBound..<last.upperBound, text: " " + lines.joined(separator: code.lineEnd)),
        ], at: index, body.change)
      for remark in body.remarks { file.leave(at: index, remark) }
    }
  }

  private static func body(of member: ManagedDeclaration.Member, in owner: String, _ types: AppTypes)
    -> MemberBody?
  {
    switch member {
    case .property(let name, let type):
      ManagedProperty(name: name, type: type, rawTypes: types.rawTypes).body
    case .method(let name, let parameters):
      ManagedMethod(name: name, parameters: parameters, properties: types.managed[owner] ?? [:])?.body
    case .other: nil
    }
  }
}
