internal import DecantMapping
internal import DecantModel
internal import FileNames

/// Checks a `family.json5` against the versions and mapping models of its folder.
///
/// An unknown name is probably a spelling mistake. It is a fault, because a rename or path without effect would lose
/// data.
struct FamilyConfigurationCheck {
  let family: Family
  let path: String
  /// Names of the mapping models in the folder.
  let files: [String]

  func faults() -> [FamilyError] {
    let configuration = family.configuration
    var faults: [FamilyError] = []
    if let target = configuration.target, family.version(named: target) == nil {
      faults += Family.names(target).compactMap { version($0, key: "target") }
    }
    if let name = configuration.configuration { faults += self.configuration(name) }
    var named: [String] = []
    for hop in configuration.path {
      for name in [hop.source, hop.destination] where !named.contains(name) {
        named.append(name)
        if let fault = version(name, key: "path") { faults.append(fault) }
      }
    }
    for name in configuration.order where FileName.meant(by: name, among: files) == nil {
      faults.append(
        fault(
          "“order” names the mapping model “\(name)”, which the folder doesn't have", key: "order",
          existing: files))
    }
    if case .acceptIn(let names) = configuration.acceptStaleHashes {
      for name in names where FileName.meant(by: name, among: files) == nil {
        faults.append(
          fault(
            "“acceptStaleHashes” names the mapping model “\(name)”, which the folder doesn't have",
            key: "acceptStaleHashes", existing: files))
      }
    }
    for stated in configuration.renames {
      faults += stated.destinations.compactMap { version($0, key: "renames.to") }
      faults += self.faults(of: stated.renames)
    }
    faults += configuration.acceptedLosses.problems(in: family.versions.flatMap { $0.variants.map(\.model) })
      .map { fault($0, key: "acceptedLosses") }
    return faults
  }

  private func faults(of renames: Renames) -> [FamilyError] {
    var faults: [FamilyError] = []
    let models = family.versions.flatMap { $0.variants.map(\.model) }
    for name in renames.entities.flatMap({ [$0.key, $0.value] }).sorted() {
      guard !models.contains(where: { $0.entity(named: name) != nil }) else { continue }
      faults.append(
        fault("“renames.entities” names “\(name)”, but no version has this entity", key: "renames"))
    }
    for (property, new) in renames.properties.sorted(by: {
      ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name)
    }) {
      guard models.contains(where: { $0.entity(named: property.entity) != nil }) else {
        faults.append(
          fault(
            "“renames.properties” names “\(property.entity)”, but no version has this entity", key: "renames")
        )
        continue
      }
      for name in [property.name, new] where !models.contains(where: { $0.hasProperty(name) }) {
        faults.append(
          fault(
            "“renames.properties” names “\(property.entity).\(name)”, but no version has this property",
            key: "renames"))
      }
      guard !models.contains(where: { $0.hasProperty(property.name, or: new, ofFamilyOf: property.entity) })
      else {
        continue
      }
      faults.append(
        fault(
          "“renames.properties” names “\(property.entity)”, but no version of this entity has the property "
            + "“\(property.name)” or “\(new)”", key: "renames"))
    }
    return faults
  }

  private func configuration(_ name: String) -> [FamilyError] {
    let existing = Set(
      family.versions.flatMap { $0.variants.flatMap { $0.model.configurations.map(\.name) } })
    guard !existing.contains(name) else { return [] }
    return [
      fault(
        "“configuration” names “\(name)”, but no version has this configuration", key: "configuration",
        existing: existing.isEmpty ? ["none"] : existing.sorted(by: NameOrder.codePoints))
    ]
  }

  func warnings() -> [String] {
    let hops = family.configuration.path
    guard !hops.isEmpty, let target = try? family.target() else { return [] }
    let index = { (name: String) in family.version(named: name)?.index }
    guard !hops.contains(where: { index($0.destination) == target.index }) else { return [] }
    let sources = Set(hops.compactMap { index($0.source) })
    let ends = hops.map(\.destination).filter { name in index(name).map { !sources.contains($0) } ?? true }
    let end = ends.isEmpty ? "runs in a circle" : "ends with \(listed(ends))"
    return [
      "\(path): “path” \(end) and not with the target “\(target.name)”; only stores of versions on the path "
        + "take it. Let it end at the target, or set “target”."
    ]
  }

  private func version(_ name: String, key: String) -> FamilyError? {
    guard family.version(named: name) == nil else { return nil }
    return fault(
      "“\(key)” names “\(name)”, but there is no such version",
      key: key.split(separator: ".").first.map(String.init) ?? key, existing: family.versions.flatMap(\.names))
  }

  private func fault(_ problem: String, key: String, existing: [String] = []) -> FamilyError {
    .configuration(
      path: path,
      problem: existing.isEmpty ? problem : "\(problem); there are: \(existing.joined(separator: ", "))",
      key: key)
  }
}

extension ManagedObjectModel {
  fileprivate func hasProperty(_ name: String) -> Bool {
    entities.contains { hasProperty(name, of: $0) }
  }

  /// Whether an entity, one of its ancestors or one of its subentities has a property with one of these names.
  fileprivate func hasProperty(_ name: String, or other: String, ofFamilyOf entity: String) -> Bool {
    (chain(of: entity) + family(of: entity)).contains {
      hasProperty(name, of: $0) || hasProperty(other, of: $0)
    }
  }

  private func hasProperty(_ name: String, of entity: Entity) -> Bool {
    entity.attributes.contains { $0.name == name || $0.element?.composite.name == name }
      || entity.relationships.contains { $0.name == name }
  }
}
