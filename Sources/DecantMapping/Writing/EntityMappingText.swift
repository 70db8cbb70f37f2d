internal import DecantModel
internal import PredicateFormat

struct EntityMappingText {
  let mapping: EntityMapping
  /// The index in the mapping model.
  let index: Int
  let rules: WritingRules?
  /// The changes that a person has to decide about.
  var open = OpenChanges.Rows()

  /// The lines of the entity mapping, after comments about parts that the text can't state.
  var lines: [String] {
    var comments: [String] = []
    let keys = bodyKeys(&comments)
    var head = "{ " + headKeys.joined(separator: ", ")
    if head.count > MappingModelText.width - 6 { head = "{ " + headKeys.joined(separator: ",\n  ") }
    let notes = open.keys.flatMap(\.lines).map(indented)
    guard !keys.isEmpty else {
      return comments + (notes.isEmpty ? [head + " },"] : [head + ","] + notes + ["},"])
    }
    return comments + [head + ","] + notes + keys.dropLast().map { indented($0) + "," }
      + keys.suffix(1).map { indented($0) + " }," }
  }

  private func indented(_ text: String) -> String {
    "  " + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  ")
  }

  private var headKeys: [String] {
    let name = "name: \(JSON5Text.quoted(mapping.name))"
    switch (mapping.sourceEntityName, mapping.destinationEntityName) {
    case (let source?, let destination?):
      return [name, "source: \(JSON5Text.quoted(source))", "destination: \(JSON5Text.quoted(destination))"]
    case (let source?, nil):
      return (source == mapping.name ? [] : [name]) + ["remove: \(JSON5Text.quoted(source))"]
    case (nil, let destination?):
      return (destination == mapping.name ? [] : [name]) + ["add: \(JSON5Text.quoted(destination))"]
    case (nil, nil): return [name]
    }
  }

  private func bodyKeys(_ comments: inout [String]) -> [String] {
    var keys: [String] = []
    // Xcode's compiler makes mappings of type copy that change values. A text refuses them, so the type isn't written.
    let isNoCopy = mapping.type == .copy && mapping.change != nil
    if mapping.type != .undefined, rules?.type(index) != mapping.type, !isNoCopy {
      keys.append("type: \"\(mapping.type)\"")
    }
    if let policy = mapping.policy { keys.append("policy: \(text(policy))") }
    let unused = mapping.unusedKeys
    if let filter = mapping.filter, !unused.contains("filter") {
      keys.append("filter: \(text(filter, "its filter", &comments))")
    }
    if let unique = mapping.uniqueBy, !unused.contains("uniqueBy") {
      keys.append("uniqueBy: \(text(unique, "uniqueBy", &comments))")
    }
    if let source = mapping.sourceExpression {
      keys.append("sourceExpression: \(text(source, "its source expression", &comments))")
    }
    if !unused.contains("chunks"), let chunks = chunks(&comments) { keys.append("chunks: \(chunks)") }
    let hashes = [
      ("sourceHash", mapping.sourceHash, rules?.sourceHash(index)),
      ("destinationHash", mapping.destinationHash, rules?.destinationHash(index)),
    ]
    for (key, hash, known) in hashes {
      guard let hash, hash != known else { continue }
      if known != nil { comments.append(JSON5Text.comment("\(key): made for another state of the model.")) }
      keys.append("\(key): \"\(hash.hexadecimal)\"")
    }
    keys += object("attributes", attributes(&comments), open.attributes)
    keys += object("relationships", relationships(&comments), open.relationships)
    keys += object(
      "userInfo",
      mapping.userInfo.sorted { NameOrder.codePoints($0.key, $1.key) }.map {
        ($0.key, JSON5Text.quoted($0.value))
      })
    return keys
  }

  private func object(_ key: String, _ entries: [(String, String)], _ open: [OpenChange] = []) -> [String] {
    guard !entries.isEmpty || !open.isEmpty else { return [] }
    let texts = entries.map { "\(JSON5Text.key($0.0)): \($0.1)" }
    let line = "\(key): { \(texts.joined(separator: ", ")) }"
    if open.isEmpty, line.count <= MappingModelText.width - 8 { return [line] }
    let lines = texts.map { "\($0)," } + open.flatMap(\.lines)
    return ["\(key): {\n" + lines.map { "  \($0)\n" }.joined() + "}"]
  }

  // MARK: Values

  private func text(_ policy: EntityMapping.Policy) -> String {
    switch policy {
    case .className(let name): JSON5Text.quoted(name)
    case .program(let words):
      "{ program: [\(words.map(JSON5Text.quoted).joined(separator: ", "))]"
        + (mapping.programTimeLimit.map { ", timeLimit: \(Int(exactly: $0).map(String.init) ?? "\($0)")" } ?? "")
        + " }"
    }
  }

  private func chunks(_ comments: inout [String]) -> String? {
    switch mapping.chunks {
    case .automatic: return nil
    case .size(let size): return "{ size: \(size) }"
    case .predicates(let predicates):
      var texts: [String] = []
      for predicate in predicates { texts.append(text(predicate, "a chunk", &comments)) }
      return "[\n" + texts.map { "  \($0),\n" }.joined() + "]"
    }
  }

  /// The text of an expression; null with a comment if no text reads back as the same expression.
  func text(_ expression: FormatExpression, _ what: String, _ comments: inout [String]) -> String {
    let text = "\(expression)"
    if (try? FormatExpression(parsing: text)) == expression { return JSON5Text.quoted(text) }
    comments.append(JSON5Text.comment("\(what) can't be written as text and is left out: \(text)"))
    return "null"
  }

  private func text(_ predicate: FormatPredicate, _ what: String, _ comments: inout [String]) -> String {
    let text = "\(predicate)"
    if (try? FormatPredicate(parsing: text)) == predicate { return JSON5Text.quoted(text) }
    comments.append(JSON5Text.comment("\(what) can't be written as text and is left out: \(text)"))
    return "null"
  }
}
