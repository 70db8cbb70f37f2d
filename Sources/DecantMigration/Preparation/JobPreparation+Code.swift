internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import DecantReport
internal import DecantStore
internal import Foundation

/// The code that a job's mapping models need, and the process that has the code.
extension JobPreparation {
  func checkRunner(_ family: Family) throws(MigrationFailure) {
    let wanted = family.configuration.worker
    switch job.runner {
    case .any: return
    case .shipped: if wanted == nil { return }
    case .worker(let path): if wanted == path { return }
    }
    throw MigrationFailure(
      .otherWorker,
      message: "Stores of family “\(family.name)” are migrated by "
        + (wanted.map { "the worker “\($0)”." } ?? "Decant's own worker."),
      advice: "The daemon passes the job to that worker.", family: family.name)
  }

  /// The classes that the mapping models' policies and functions may name.
  func classes(for family: Family) throws(MigrationFailure) -> RegisteredClasses {
    switch code {
    case .ofTheJob: return RegisteredClasses(job.policies)
    case .asked(let ask): return ask(family.configuration.worker)
    case .required(let ask):
      let classes = ask(family.configuration.worker)
      guard case .unusable(let reason) = classes else { return classes }
      throw MigrationFailure(
        .workerUnusable, message: Self.placed(reason, of: family),
        advice: "Fix the worker, or name another one \(job.isOfDrop ? "in family.json5" : "with --worker").",
        family: family.name)
    }
  }

  /// Why a worker can't be used, with the place in `family.json5` that names this worker.
  static func placed(_ reason: String, of family: Family) -> String {
    guard family.configuration.worker.map({ reason.contains("“\($0)”") }) ?? false,
      let place = FamilyWorker.place(
        of: family.name,
        in: family.place.isBundle ? family.place.url : family.folder.deletingLastPathComponent())
    else { return reason }
    return "\(place): \(reason)"
  }

  /// Looks for the code that the mapping models of all steps name.
  ///
  /// - Returns: `warnings`: sentences for plan and report. `missing`: only the sentences about code that is certainly
  ///   missing, and about a worker that can't be used.
  /// - Throws: If `code` isn't `asked`, a failure for the first step that lacks code. The failure lists everything that
  ///   this step lacks.
  func codeFindings(
    for steps: some Sequence<PlannedStep>, in family: Family, _ classes: RegisteredClasses
  ) throws(MigrationFailure) -> (warnings: [String], missing: [String]) {
    let search = PolicySearch(classes: classes, folder: family.folder.path, isOfDrop: job.isOfDrop)
    var warnings: [String] = []
    var certain: [String] = []
    if case .unusable(let reason) = classes { certain.append(Self.placed(reason, of: family)) }
    for step in steps {
      warnings += step.warnings
      guard case .passes(let models) = step.work else { continue }
      var missing = search.missing(for: models)
      if case .asked = code {
        // If the worker can't be used, its classes are unknown. So missing classes aren't reported.
        if case .unusable = classes { missing.removeAll(where: \.isClass) }
        var messages = missing.map(\.message)
        if let last = messages.popLast() { messages.append("\(last) \(search.advice(missing))") }
        warnings += messages
        // Without a worker, missing classes aren't certain: a worker may be named for the migration.
        let isKnown = if case .noWorker = classes { false } else { true }
        certain += zip(messages, missing).filter { (isKnown || !$1.isClass) && !certain.contains($0) }.map(\.0)
      } else if let first = missing.first {
        throw MigrationFailure(
          .needsPolicy,
          message: missing.count == 1
            ? first.message
            : "The mapping models from “\(step.source.name)” to “\(step.destination.name)” name code that was not found:",
          details: missing.count == 1 ? [] : missing.map(\.message),
          advice: job.direct == nil ? search.advice(missing) : search.adviceToProgram(missing),
          family: family.name)
      }
      warnings += search.doubts(about: models)
    }
    return (warnings, certain)
  }

  /// The advice for a store of several merged models whose path leads through mapping models.
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
      return
        "No other versions can be reached without a mapping model; migrate such stores with the application."
    }
    return
      "Without a mapping model the store can be migrated to \(listed(Array(names.suffix(4)))): "
      + "name \(names.count == 1 ? "it" : "one of them") \(wishes.version)."
  }
}
