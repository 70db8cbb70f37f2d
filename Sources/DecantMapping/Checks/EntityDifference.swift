internal import DecantModel

/// The differences between two models, as far as they change the version hash of one entity.
struct EntityDifference {
  let former: ManagedObjectModel
  let present: ManagedObjectModel
  let entity: String

  /// The differences as text, such as “attribute “x” is new”.
  var words: [String] {
    guard let old = former.entity(named: entity), let new = present.entity(named: entity) else { return [] }
    var words: [String] = []
    if old.isAbstract != new.isAbstract {
      words.append(new.isAbstract ? "it became abstract" : "it is no longer abstract")
    }
    let (oldChain, newChain) = (former.chain(of: entity).map(\.name), present.chain(of: entity).map(\.name))
    if oldChain != newChain {
      words.append(
        "its ancestors changed (parent before: \(name(old.superentityName)), parent now: "
          + "\(name(new.superentityName)))")
    }
    words += properties(
      "attribute", former.attributes(of: entity).filter { !$0.isTransient }.map { ($0.name, $0.versionHash) },
      present.attributes(of: entity).filter { !$0.isTransient }.map { ($0.name, $0.versionHash) })
    words += properties(
      "relationship",
      former.relationships(of: entity).filter { !$0.isTransient }.map { ($0.name, $0.versionHash) },
      present.relationships(of: entity).filter { !$0.isTransient }.map { ($0.name, $0.versionHash) })
    if old.uniquenessConstraints != new.uniquenessConstraints {
      words.append("its uniqueness constraints changed")
    }
    if old.versionHashModifier != new.versionHashModifier { words.append("its version hash modifier changed") }
    return words.isEmpty ? ["one of its ancestors changed in another way"] : words
  }

  private func properties(
    _ kind: String, _ old: [(String, VersionHash)], _ new: [(String, VersionHash)]
  ) -> [String] {
    let before = Dictionary(old) { first, _ in first }
    let after = Dictionary(new) { first, _ in first }
    return Set(before.keys).union(after.keys).sorted(by: NameOrder.codePoints).compactMap { name in
      switch (before[name], after[name]) {
      case (nil, .some): "\(kind) “\(name)” is new"
      case (.some, nil): "\(kind) “\(name)” is gone"
      case (let first, let second): first == second ? nil : "\(kind) “\(name)” changed"
      }
    }
  }

  private func name(_ name: String?) -> String { name.map { "“\($0)”" } ?? "none" }
}
