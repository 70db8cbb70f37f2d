internal import DecantMapping
internal import DecantModel

/// Holds a `family.json5` against the versions and mapping models of its folder: a name that nothing bears is a slip
/// of the pen, and a rename or path that silently does nothing would cost data.
struct FamilyConfigurationCheck {
  let family: Family
  let path: String
  /// Names of the mapping models in the folder.
  let files: [String]

  func run() throws(FamilyError) {
    let configuration = family.configuration
    if let target = configuration.target, family.version(named: target) == nil {
      for name in Family.names(target) { try checkVersion(name, key: "target") }
    }
    if let name = configuration.configuration { try checkConfiguration(name) }
    for hop in configuration.path {
      try checkVersion(hop.source, key: "path")
      try checkVersion(hop.destination, key: "path")
    }
    for name in configuration.order where !files.contains(name) {
      throw fault("“order” names the mapping model “\(name)”, which the folder doesn't have", existing: files)
    }
    if case .acceptIn(let names) = configuration.acceptStaleHashes {
      for name in names where !files.contains(name) {
        throw fault(
          "“acceptStaleHashes” names the mapping model “\(name)”, which the folder doesn't have",
          existing: files)
      }
    }
    for stated in configuration.renames {
      for name in stated.destinations { try checkVersion(name, key: "renames.to") }
      try check(stated.renames)
    }
  }

  private func check(_ renames: Renames) throws(FamilyError) {
    let models = family.versions.flatMap { $0.variants.map(\.model) }
    for name in renames.entities.flatMap({ [$0.key, $0.value] }).sorted() {
      guard !models.contains(where: { $0.entity(named: name) != nil }) else { continue }
      throw fault("“renames.entities” names “\(name)”, which is an entity of no version")
    }
    for (property, new) in renames.properties.sorted(by: {
      ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name)
    }) {
      guard models.contains(where: { $0.entity(named: property.entity) != nil }) else {
        throw fault("“renames.properties” names “\(property.entity)”, which is an entity of no version")
      }
      for name in [property.name, new] where !models.contains(where: { $0.hasProperty(name) }) {
        throw fault(
          "“renames.properties” names “\(property.entity).\(name)”, which is a property of no version")
      }
    }
  }

  private func checkConfiguration(_ name: String) throws(FamilyError) {
    let existing = Set(
      family.versions.flatMap { $0.variants.flatMap { $0.model.configurations.map(\.name) } })
    guard !existing.contains(name) else { return }
    throw fault(
      "“configuration” names “\(name)”, which no version has",
      existing: existing.isEmpty ? ["none"] : existing.sorted(by: NameOrder.codePoints))
  }

  /// A path that ends before the target, or beside it, is not the way of stores that come to it from elsewhere.
  func warnings() -> [String] {
    let hops = family.configuration.path
    guard !hops.isEmpty, let target = try? family.target() else { return [] }
    let index = { (name: String) in family.version(named: name)?.index }
    guard !hops.contains(where: { index($0.destination) == target.index }) else { return [] }
    let sources = Set(hops.compactMap { index($0.source) })
    let ends = hops.map(\.destination).filter { name in index(name).map { !sources.contains($0) } ?? true }
    let end = ends.isEmpty ? "runs in a circle" : "ends with \(ends.map { "“\($0)”" }.joined(separator: ", "))"
    return [
      "\(path): “path” \(end) and not with the target “\(target.name)”; only stores of versions that it names as "
        + "beginnings take it. Lead it to the target, or set “target”."
    ]
  }

  private func checkVersion(_ name: String, key: String) throws(FamilyError) {
    guard family.version(named: name) == nil else { return }
    throw fault("“\(key)” names “\(name)”, which is no version", existing: family.versions.flatMap(\.names))
  }

  private func fault(_ problem: String, existing: [String] = []) -> FamilyError {
    .configuration(
      path: path,
      problem: existing.isEmpty ? problem : "\(problem); there are: \(existing.joined(separator: ", "))")
  }
}

extension ManagedObjectModel {
  fileprivate func hasProperty(_ name: String) -> Bool {
    entities.contains { entity in
      entity.attributes.contains { $0.name == name } || entity.relationships.contains { $0.name == name }
    }
  }
}
