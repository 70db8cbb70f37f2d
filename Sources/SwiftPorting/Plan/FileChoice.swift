/// Which files of an app a worker needs.
enum FileChoice {
  /// Whether a file has a policy, a migrator, a managed object class or a transformer.
  static func takesPart(_ code: SwiftCode, _ types: AppTypes) -> Bool {
    let words = Set(code.tokens.indices.compactMap { code.name(at: $0) })
    if !words.isDisjoint(with: MigrationNames.all) || words.contains("NSManaged") { return true }
    let bases =
      [MigrationNames.policy, MigrationNames.manager, MigrationNames.object] + MigrationNames.transformers
    return TypeReader.declarations(in: code).contains { declaration in
      declaration.kind == .type && bases.contains { types.isKind(declaration.name, of: $0) }
    }
  }

  static func isTest(_ code: SwiftCode) -> Bool {
    code.tokens.indices.contains { index in
      code.isWord("import", at: index) && ["XCTest", "Testing"].contains(code.text(at: index + 1))
    }
  }
}
