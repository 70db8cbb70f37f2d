/// Chooses the files of an app that a worker needs.
enum FileChoice {
  static func takesPart(_ code: SwiftCode, _ types: AppTypes) -> Bool {
    let words = Set(code.tokens.indices.compactMap { code.name(at: $0) })
    if !words.isDisjoint(with: MigrationNames.all) || words.contains("NSManaged") { return true }
    let bases =
      [MigrationNames.policy, MigrationNames.manager, MigrationNames.object] + MigrationNames.transformers
    return TypeReader.declarations(in: code).contains { declaration in
      declaration.kind == .type && bases.contains { types.isKind(declaration.name, of: $0) }
    }
  }

  /// The reason why a file takes no part in migrations: a sentence without its subject and full stop.
  static func reason(_ code: SwiftCode, _ types: AppTypes) -> String {
    let extended = TypeReader.declarations(in: code).first { declaration in
      declaration.kind == .addition
        && [MigrationNames.policy, MigrationNames.object].contains { types.isKind(declaration.name, of: $0) }
    }
    if let extended {
      return "only extends \(extended.name), without a managed member; copy it by hand if a policy uses it"
    }
    return "has no policy, migrator, managed object class or transformer"
  }

  static func isTest(_ code: SwiftCode) -> Bool {
    code.tokens.indices.contains { index in
      code.isWord("import", at: index) && ["XCTest", "Testing"].contains(code.text(at: index + 1))
    }
  }
}
