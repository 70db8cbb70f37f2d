internal import DecantCatalogue
internal import DecantModel
internal import FileNames

/// Reports versions of several families with equal hashes: their stores are refused until a user names the family.
///
/// A store's version identifiers don't help. They distinguish the names of one version, not families.
struct SharedVersionCheck {
  private let catalogue: Catalogue
  private let families: [Family]

  init(_ catalogue: Catalogue) {
    self.catalogue = catalogue
    families = catalogue.states.compactMap { state in
      switch state {
      case .ready(let family): family
      case .broken(let broken): broken.models
      }
    }
  }

  /// Adds a warning for each group of families that share versions, to the report of the first family.
  func fill(_ report: inout CatalogueReport) {
    guard families.count > 1 else { return }
    var groups: [[FileName]] = []
    var versions: [[FileName]: [String]] = [:]
    var seen: Set<EntityVersionHashes> = []
    for family in families {
      for hashes in Self.hashes(of: family) where seen.insert(hashes).inserted {
        let names = sharing(hashes)
        guard names.count > 1 else { continue }
        let key = names.map { FileName($0) }
        if versions[key] == nil { groups.append(key) }
        versions[key, default: []].append(title(of: hashes, in: names))
      }
    }
    for group in groups {
      let place = report.families.firstIndex { FileName($0.name) == group.first }
      guard let place else { continue }
      report.families[place].add(.warning, sentence(group.map(\.text), versions[group] ?? []))
      report.families[place].sort()
    }
  }

  /// The hashes of stores that the family knows: of its versions, and of their configurations.
  private static func hashes(of family: Family) -> [EntityVersionHashes] {
    let configurations = Set(
      family.versions.flatMap(\.variants).flatMap { $0.model.configurations.map(\.name) }
    ).sorted(by: NameOrder.codePoints)
    return family.versions.map(\.hashes)
      + configurations.flatMap { family.seen(through: $0).versions.map(\.hashes) }.filter { !$0.isEmpty }
  }

  private func sharing(_ hashes: EntityVersionHashes) -> [String] {
    switch catalogue.recognise(hashes) {
    case .ambiguous(let families), .ambiguousBroken(let families, _): families
    default: []
    }
  }

  /// The version's name, or the names that the families give it.
  private func title(of hashes: EntityVersionHashes, in names: [String]) -> String {
    let wanted = Set(names.map { FileName($0) })
    let titles = families.filter { wanted.contains(FileName($0.name)) }.map { family in
      (family: family.name, version: Self.name(of: hashes, in: family))
    }
    guard let first = titles.first else { return "" }
    if titles.allSatisfy({ FileName($0.version) == FileName(first.version) }) { return "“\(first.version)”" }
    return titles.map { "“\($0.version)” of “\($0.family)”" }.joined(separator: " and ")
  }

  private static func name(of hashes: EntityVersionHashes, in family: Family) -> String {
    if let version = family.version(with: hashes) { return version.name }
    if case .found(_, let version) = StoreFit(hashes, in: family) { return version.name }
    return "a part"
  }

  private func sentence(_ families: [String], _ versions: [String]) -> String {
    let names = families.map { "“\($0)”" }
    let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    let rest = versions.count - Self.shown
    let shown = (rest > 1 ? Array(versions.prefix(Self.shown)) : versions).joined(separator: "; ")
    return "The families \(list) have \(versions.count == 1 ? "a version" : "versions") in common: \(shown)"
      + (rest > 1 ? "; and \(rest) more" : "")
      + ". Such stores are refused (ambiguous-family) unless the family is named: with --family, or as “family” in the "
      + "request file of a drop. Or keep such a version in one of the families only."
  }

  private static let shown = 6
}
