package import DecantCatalogue
internal import DecantModel
package import DecantReport
package import DecantStore
internal import FileNames
internal import Foundation

/// The store's version and its target version.
extension JobPreparation {
  package func recognise(
    _ store: SourceStore, in catalogue: Catalogue
  ) throws(MigrationFailure) -> (Family, FamilyVersion) {
    switch catalogue.recognise(store, family: job.family) {
    case .known(let family, let version): return (family, version)
    case .ownModel(let family, let version, _): return (family, version)
    case .ambiguous(let families):
      throw MigrationFailure(
        .ambiguousFamily, message: "\(name) fits a version of several families: \(listed(families)).",
        advice: wishes.sentence(
          naming: families, candidates: candidates(of: store, among: families, in: catalogue).map(\.name)))
    case .unusable(let family, let reason, let advice):
      throw MigrationFailure(
        .unusableVersion,
        message: "\(name) fits no single version. \(reason)", advice: advice, family: family)
    case .broken(let family): throw Self.failure(family)
    case .ambiguousBroken(let families, let broken):
      var failure = Self.failure(broken)
      failure.message += " \(name) fits a version of several families: \(listed(families))."
      failure.advice = wishes.sentences(naming: families, broken: broken)
      throw failure
    case .noSuchFamily(let wanted, let existing):
      throw MigrationFailure(
        .unknownFamily, message: "The catalogue has no family “\(wanted)”.",
        advice: "It has: \(listed(existing)).")
    case .unknown(let nearest, let broken, _) where !broken.isEmpty:
      var failure = Self.failure(broken)
      failure.message +=
        " \(name) may belong to a broken family: no usable family has its version."
        + (nearest.map { " The nearest of the usable versions is \($0)." } ?? "")
      failure.advice =
        "Fix each broken family, or move its folder out of the catalogue. Until then the store can't be migrated."
      throw failure
    case .unknown(let nearest, _, let ownModel):
      let entities = store.metadata.versionHashes?.count ?? 0
      let isForeign = Self.isForeign(nearest, entities: entities, in: catalogue)
      throw MigrationFailure(
        .unknownVersion,
        message: "\(name) \(isForeign ? Self.foreign(job.family) : Self.unknown)"
          + (nearest.map { Self.sentence($0, entities: entities, isForeign: isForeign) }
            ?? Self.nothingNear(in: catalogue, family: job.family))
          + Self.words(ownModel, named: job.family),
        advice: advice(ownModel, store, in: catalogue, isForeign: isForeign),
        family: isForeign ? nil : nearest?.family)
    }
  }

  private static let unknown = "is of a model version that the catalogue doesn't have."

  private static func foreign(_ family: String?) -> String {
    "fits no version of \(family.map { "family “\($0)”" } ?? "any family"). It may be the store of another app."
  }

  /// Whether the store has too little in common with every version to be of a family.
  private static func isForeign(_ nearest: Recognition.Nearest?, entities: Int, in catalogue: Catalogue) -> Bool
  {
    guard let nearest else { return catalogue.families.contains { !$0.versions.isEmpty } }
    return 2 * (entities - nearest.surplus.count) < entities
  }

  private static func sentence(_ nearest: Recognition.Nearest, entities: Int, isForeign: Bool) -> String {
    guard isForeign else { return " The nearest is \(nearest)." }
    return " The nearest is version “\(nearest.version)” of family “\(nearest.family)”, which has "
      + "\(entities - nearest.surplus.count) of the store's \(counted(entities, "entity", "entities"))."
      + [
        ("Only in the store", nearest.surplus), ("Missing in the store", nearest.missing),
        ("Changed", nearest.changed),
      ].filter { !$0.1.isEmpty }.map { " \($0.0): \(some($0.1))." }.joined()
  }

  private static func some(_ names: [String]) -> String {
    listed(Array(names.prefix(6))) + (names.count > 6 ? " and \(names.count - 6) more" : "")
  }

  private static func nothingNear(in catalogue: Catalogue, family: String?) -> String {
    let families = catalogue.families.filter { family == nil || $0.name == family }
    let versions = families.reduce(0) { $0 + $1.versions.count }
    let place = family.map { "family “\($0)” (no other family was searched)" } ?? "the catalogue"
    return versions == 0
      ? " There is no model version in \(place)."
      : versions == 1
        ? " The only version in \(place) has no entity in common with the store."
        : " None of the \(versions) versions in \(place) has an entity in common with the store."
  }

  private static func words(_ finding: Recognition.OwnModelFinding, named family: String?) -> String {
    switch finding {
    case .absent: ""
    case .unusable(let reason): " The store keeps its own model, but it can't be used: \(reason)."
    case .noFamily where family != nil:
      " The store keeps its own model, but no version of that family has an entity of this model."
    case .noFamily: " The store keeps its own model, but no family has a similar version."
    case .severalFamilies(let names):
      " The store keeps its own model, which is similar to versions of several families: \(listed(names))."
    }
  }

  private static func failure(_ families: [BrokenFamily]) -> MigrationFailure {
    var failure = failure(families[0])
    for other in families.dropFirst() {
      let own = Self.failure(other)
      failure.details += [own.message] + own.details
    }
    return failure
  }

  private static func failure(_ family: BrokenFamily) -> MigrationFailure {
    let sentences = family.sentences
    return MigrationFailure(
      .brokenFamily, message: "The family “\(family.name)” can't be used: \(sentences[0]).",
      details: Array(sentences.dropFirst()),
      advice: "Fix that folder of the catalogue. Until then the family's stores can't be migrated.",
      family: family.name)
  }

  // MARK: Target

  /// The version to which the store is migrated; a version that merges several models is added to the family.
  package func target(for source: FamilyVersion, in family: inout Family) throws(MigrationFailure)
    -> FamilyVersion
  {
    let isMerge = if case .merge = source.origin { true } else { false }
    if let wanted = job.target, !isMerge {
      if let version = family.version(named: wanted) { return version }
      do { try family.part?.check(wanted, family: family.name) } catch { throw failure(error, in: family) }
      throw MigrationFailure(
        .unknownTarget, message: "Family “\(family.name)” has no version “\(wanted)”.",
        advice: "It has: \(listed(Self.names(of: family))).", family: family.name)
    }
    let target: FamilyVersion
    do {
      target =
        isMerge ? try family.mergeTarget(for: source, wanted: job.target) : try family.target(for: source)
    } catch {
      throw failure(error, in: family)
    }
    if job.target == nil, family.configuration.target == nil {
      try checkDirection(from: source, to: target, in: family)
    }
    return target
  }

  private static func names(of family: Family) -> [String] {
    family.versions.filter { $0.origin.nearest == nil }.map(\.name)
  }

  private func failure(_ error: FamilyError, in family: Family) -> MigrationFailure {
    let message = "\(error)."
    switch error {
    case .noSuchPart where job.target != nil:
      return MigrationFailure(
        .unknownTarget, message: message,
        advice: "The family has: \(listed(Self.names(of: family))).", family: family.name)
    case .notInConfiguration:
      return MigrationFailure(
        .noConfiguration, message: "\(name) can't be migrated: \(message)",
        advice:
          "Name a version that has the configuration as “target” in family.json5, or \(wishes.version); or add the "
          + "configuration, with all entities that it needs, to that version of the model.", family: family.name
      )
    case .model:
      return MigrationFailure(
        .notMergeable, message: message,
        advice: "Choose versions whose models agree. "
          + "Name them as “target” in family.json5, or \(wishes.version).",
        family: family.name)
    default:
      return MigrationFailure(
        .noTarget, message: message,
        advice: job.isOfDrop ? "" : "Name the version with --to, or set “target” in family.json5.",
        family: family.name)
    }
  }

  /// Refuses an older target that wasn't requested: the bundle's current version is only a default.
  private func checkDirection(
    from source: FamilyVersion, to target: FamilyVersion, in family: Family
  ) throws(MigrationFailure) {
    let order = VersionOrder(of: family, versions: family.versions)
    let ends = family.parts(of: target)
    let pairs = family.parts(of: source).compactMap { part in
      ends.first { FileName($0.bundle) == FileName(part.bundle) }.map { (part, $0) }
    }
    for (from, to) in pairs.isEmpty ? [(source, target)] : pairs
    where order.knownRelation(of: to.index, to: from.index) == .before {
      let models = order.mappingModels(from: to.index, to: from.index, in: family).map { "“\($0.file.name)”" }
      throw MigrationFailure(
        .olderTarget,
        message:
          "\(name) is of version “\(from.name)”, and the current version “\(to.name)” of the model seems to be "
          + "older than that"
          + (models.isEmpty
            ? "."
            : ", because mapping models lead from “\(to.name)” to “\(from.name)”: "
              + "\(models.joined(separator: ", "))."),
        advice: (models.isEmpty
          ? "Update"
          : "If such a mapping model is meant for the other direction, "
            + "exchange its “source” and “destination”. Otherwise update")
          + " the catalogue's models; or name the intended version as “target” in family.json5, or "
          + "\(wishes.version).", family: family.name)
    }
  }

  /// Refuses losses of a store of an unknown version, unless the target or `unknownVersions` is set.
  ///
  /// The unknown version may be newer than the target, so by default no loss is allowed.
  func checkUnknown(
    _ source: FamilyVersion, _ target: FamilyVersion, _ losses: [MigrationReport.Loss], in family: Family
  ) throws(MigrationFailure) {
    guard let nearest = source.origin.nearest, job.target == nil, family.configuration.target == nil,
      family.configuration.unknownVersions == nil
    else { return }
    let real = losses.filter { $0.values > 0 }
    guard !real.isEmpty else { return }
    let shown = real.prefix(4).map { "\($0.entity)\($0.property.map { "." + $0 } ?? "") (\($0.values))" }
      .joined(separator: ", ")
    let rest = real.count > 4 ? " and \(real.count - 4) more" : ""
    throw MigrationFailure(
      .unknownVersion,
      message:
        "\(name) is of a model version that the catalogue doesn't have; the nearest is “\(nearest)”. With the store's own "
        + "model it could be migrated to “\(target.name)”, but these values would be lost: \(shown)\(rest). "
        + "It isn't known which of the two versions is newer.",
      advice:
        "Add that version of the model to the family's folder; or, if the loss is meant, name the target as “target” in "
        + "family.json5, or \(wishes.version).", family: family.name)
  }
}
