internal import KeyedArchive

/// The facts about one entity or property in the model editor's archive: the values of all its stereotypes, by key
/// (docs/formats/model-files.md 3).
struct ElementsFacts {
  private let owner: String
  private var holders: [String: ArchiveNode] = [:]

  init(of node: ArchiveNode, _ allowance: inout ArchiveAllowance) throws(ArchiveError) {
    owner = node.className ?? node.kind
    for (_, stereotype) in try node.entries("XDBucketForStereotypesstorage", &allowance) ?? [] {
      guard let stereotype else { continue }
      for (key, holder) in try stereotype.entries("XDBucketForOwnedAttributesstorage", &allowance) ?? [] {
        guard let holder else { continue }
        guard holder.className == "XDUMLPropertyImp" else {
          throw .unknownClass(holder.className ?? holder.kind, expected: "a value of “\(key)”")
        }
        // If two stereotypes had the same key, it wouldn't be clear which value counts.
        guard holders.updateValue(holder, forKey: key) == nil else { throw .repeatedKey(key) }
      }
    }
  }

  func node(_ key: String) throws(ArchiveError) -> ArchiveNode? {
    try read(key) { (holder) throws(ArchiveError) in try holder.member("_default") }
  }

  func string(_ key: String) throws(ArchiveError) -> String? {
    try read(key) { (holder) throws(ArchiveError) in try holder.string("_default") }
  }

  func nonEmpty(_ key: String) throws(ArchiveError) -> String? {
    try string(key).flatMap { $0.isEmpty ? nil : $0 }
  }

  func flag(_ key: String) throws(ArchiveError) -> Bool {
    try read(key) { (holder) throws(ArchiveError) in try holder.flag("_default") } ?? false
  }

  func integer32(_ key: String) throws(ArchiveError) -> Int? {
    try read(key) { (holder) throws(ArchiveError) in try holder.integer32("_default") }
  }

  /// The name of the entity or relationship in the value.
  func name(_ key: String, of className: String) throws(ArchiveError) -> String? {
    try read(key) { (holder) throws(ArchiveError) in
      try holder.object("_default", of: className)?.requiredString("_name")
    }
  }

  func stringLists(_ key: String, _ allowance: inout ArchiveAllowance) throws(ArchiveError) -> [[String]] {
    try read(key) { (holder) throws(ArchiveError) in try holder.stringLists("_default", &allowance) } ?? []
  }

  func list(_ key: String, _ allowance: inout ArchiveAllowance) throws(ArchiveError) -> [ArchiveNode] {
    try read(key) { (holder) throws(ArchiveError) in try holder.list("_default", &allowance) } ?? []
  }

  func entries(
    _ key: String, _ allowance: inout ArchiveAllowance
  ) throws(ArchiveError) -> [(key: String, value: ArchiveNode?)] {
    try read(key) { (holder) throws(ArchiveError) in try holder.entries("_default", &allowance) } ?? []
  }

  /// Reads a value; errors name the key instead of the object.
  private func read<Value>(
    _ key: String, _ body: (ArchiveNode) throws(ArchiveError) -> Value?
  ) throws(ArchiveError) -> Value? {
    guard let holder = holders[key] else { return nil }
    do {
      return try body(holder)
    } catch {
      guard case .wrongKind(_, "_default", let found, let expected) = error else { throw error }
      throw .wrongKind(className: owner, key: key, found: found, expected: expected)
    }
  }
}
