/// Adds `required` to the initialisers that every subclass must have.
///
/// On Apple's platforms, the Objective-C runtime finds these initialisers without `required`. A managed object class
/// with a designated initialiser of its own doesn't inherit `init(entity:insertInto:)`. If such a class lacks this
/// initialiser, it is added.
enum RequiredInitialisers {
  private static let ofObjects = ["entity", "insertInto"]

  static func apply(to file: inout PortedCode, _ types: AppTypes) {
    let code = file.code
    let declarations = Declarations(code)
    var found: [Int: [Initialiser]] = [:]
    for index in code.tokens.indices {
      guard let initialiser = Initialiser(at: index, in: code), let owner = declarations.owner(of: index),
        owner.kind == .type
      else { continue }
      found[owner.token, default: []].append(initialiser)
    }
    for type in declarations.all where type.kind == .type {
      guard let own = found[type.token] else { continue }
      if types.isKind(type.name, of: MigrationNames.policy) { require(own.filter(\.labels.isEmpty), &file) }
      guard types.isKind(type.name, of: MigrationNames.object) else { continue }
      let same = own.filter { $0.labels == ofObjects }
      require(same, &file)
      if same.isEmpty, let first = own.first(where: { !$0.modifiers.contains("convenience") }) {
        add(to: type, because: first, &file)
      }
    }
  }

  private static func require(_ initialisers: [Initialiser], _ file: inout PortedCode) {
    for initialiser in initialisers where !initialiser.modifiers.contains("required") {
      let token = initialiser.modifiers.token(of: "override") ?? initialiser.token
      let range = file.code.tokens[token].range
      let isReplaced = token != initialiser.token
      file.change(
        [
          SourceEdit(
            range: isReplaced ? range : range.lowerBound..<range.lowerBound,
            text: isReplaced ? "required" : "required ")
        ], at: initialiser.token, "writes init(\(list(initialiser.labels))) as required")
    }
  }

  private static func add(to type: TypeDeclaration, because first: Initialiser, _ file: inout PortedCode) {
    let code = file.code
    guard code.tokens.indices.contains(type.body.upperBound) else { return }
    let end = code.tokens[type.body.upperBound].range.lowerBound
    let isPublic = !Set(Modifiers(before: type.token - 1, in: code).all.map(\.word)).isDisjoint(with: [
      "public", "open",
    ])
    let outer = code.indentation(at: end)
    let indent = outer + code.step(for: code.indentation(at: code.tokens[first.token].range.lowerBound))
    let lines = [
      "",
      indent + (isPublic ? "public " : "")
        + "required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {",
      indent + code.step(for: indent) + "super.init(entity: entity, insertInto: context)", indent + "}", outer,
    ]
    file.change(
      [SourceEdit(range: end..<end, text: lines.joined(separator: code.lineEnd))], at: first.token,
      "adds init(entity:insertInto:) to \(type.name), because a class with its own initialiser "
        + "doesn't inherit it")
  }

  private static func list(_ labels: [String]) -> String { labels.map { $0 + ":" }.joined() }
}
