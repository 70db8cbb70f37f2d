internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation

/// The mapping models of a job, and the process that has their policies.
extension JobPreparation {
  /// Checks that the job runs in the worker that its family names.
  func checkRunner(_ family: Family) throws(MigrationFailure) {
    let wanted = family.configuration.worker
    switch job.runner {
    case .any: return
    case .shipped: if wanted == nil { return }
    case .worker(let path): if wanted == path { return }
    }
    throw MigrationFailure(
      disposition: .retry, reason: FamilyWorker.otherWorker,
      message: "Family “\(family.name)” leaves its stores to "
        + (wanted.map { "the worker “\($0)”." } ?? "Decant's own worker."),
      advice: "The daemon hands the job over by itself.", family: family.name)
  }

  /// The classes that the mapping models' policies and functions may name.
  ///
  /// - Throws: A failure of the catalogue if the worker is required and can't be asked.
  func classes(for family: Family) throws(MigrationFailure) -> RegisteredClasses {
    switch code {
    case .ofTheJob: return RegisteredClasses(job.policies)
    case .toldOf(let ask): return ask(family.configuration.worker)
    case .requiredOf(let ask):
      let classes = ask(family.configuration.worker)
      guard case .unusable(let reason) = classes else { return classes }
      throw MigrationFailure(
        disposition: .catalogue, reason: "worker-unusable", message: Self.placed(reason, of: family),
        advice: "Mend that, or name another one with --worker.", family: family.name)
    }
  }

  /// Why a worker can't be used, with the place in the configuration that names it.
  static func placed(_ reason: String, of family: Family) -> String {
    guard family.configuration.worker.map({ reason.contains("“\($0)”") }) ?? false,
      let place = FamilyWorker.place(
        of: family.name,
        in: family.place.isBundle ? family.place.url : family.folder.deletingLastPathComponent())
    else { return reason }
    return "\(place): \(reason)"
  }

  /// The mapping models of a step, one for each pass.
  func models(
    _ files: [FamilyMappingModel], _ step: PathPlan.Step, in family: Family, _ classes: RegisteredClasses,
    warnings: inout [String], missingCode: inout [String], findings: inout [PlanFinding]
  ) throws(MigrationFailure) -> [MappingModel] {
    var preparation = PassPreparation(
      family: family, source: step.source, destination: step.destination, classes: classes)
    let models: [MappingModel]
    if let direct = job.direct {
      models = try preparation.checked(direct.passes)
    } else if case .toldOf = code {
      models = try preparation.planned(files)
    } else {
      models = try preparation.models(files)
    }
    warnings += preparation.warnings
    findings += preparation.findings
    missingCode += preparation.missingCode.filter { !missingCode.contains($0) }
    return models
  }

  /// Lists the versions that a store of several merged models can reach by inference alone.
  ///
  /// For such a store `--to` names a merge.
  func advice(withoutMappingModelsOfParts source: FamilyVersion, in family: Family) -> String {
    let order = VersionOrder(of: family, versions: family.versions)
    let parts = family.parts(of: source)
    var names: [String] = []
    for version in family.versions {
      guard let part = parts.first(where: { version.of(bundle: $0.bundle) != nil }),
        order.relation(of: version.index, to: part.index) != .before
      else { continue }
      var merging = family
      guard let target = try? merging.mergeTarget(for: source, wanted: version.name),
        target.index != source.index, (try? PathPlan.make(from: source, to: target, in: merging)) != nil
      else { continue }
      let isName = (try? merging.mergeTarget(for: source, wanted: target.name))?.index == target.index
      let name = isName ? target.name : version.name
      if !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else {
      return "No other versions can be reached without it; take such stores there with the application."
    }
    return
      "Without a mapping model the store can go to \(Self.list(Array(names.suffix(4)))): name it \(wishes.version)."
  }
}
