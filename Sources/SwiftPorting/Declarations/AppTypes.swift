/// The types that all files of an app declare, and what they inherit.
struct AppTypes {
  /// The names that a type's declaration inherits, by the type's name.
  private var inherited: [String: [String]] = [:]
  /// The paths of the files that declare a type, by the type's name.
  private(set) var owners: [String: Set<String>] = [:]
  /// The first name after the colon of an enumeration, by the enumeration's name.
  ///
  /// If the enumeration has a raw type, this name is the raw type.
  private(set) var rawTypes: [String: String] = [:]
  /// The types of managed properties, by the names of class and property.
  private(set) var managed: [String: [String: String]] = [:]

  /// - Parameter files: The files by their paths.
  init(_ files: [(path: String, code: SwiftCode)]) {
    for (path, code) in files {
      let declarations = Declarations(code)
      for declaration in declarations.all { take(declaration, path) }
      take(code, declarations)
    }
  }

  private mutating func take(_ declaration: TypeDeclaration, _ path: String) {
    if declaration.kind != .addition {
      owners[declaration.name, default: []].insert(path)
      inherited[declaration.name, default: []] += declaration.inherited
    }
    if declaration.kind == .enumeration, let raw = declaration.inherited.first {
      rawTypes[declaration.name] = raw
    }
  }

  private mutating func take(_ code: SwiftCode, _ declarations: Declarations) {
    for token in code.tokens.indices {
      guard let found = ManagedDeclaration(at: token, in: code),
        case .properties(let properties) = found.member, let owner = declarations.owner(of: token)
      else { continue }
      for property in properties { managed[owner.name, default: [:]][property.name] = property.type }
    }
  }

  /// Whether a type is `base` or inherits from it, also through other types of the app.
  func isKind(_ name: String, of base: String) -> Bool {
    var seen: Set<String> = []
    var open = [name]
    while let next = open.popLast() {
      if next == base { return true }
      if seen.insert(next).inserted { open += inherited[next] ?? [] }
    }
    return false
  }
}
