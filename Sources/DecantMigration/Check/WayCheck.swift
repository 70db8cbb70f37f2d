internal import DecantCatalogue
internal import DecantModel

/// Checks whether and how stores of each version reach the target.
struct WayCheck {
  private let family: Family
  private let order: VersionOrder
  /// The version order without mapping models.
  private let bareOrder: VersionOrder

  init(_ family: Family) {
    self.family = family
    order = VersionOrder(of: family, versions: family.versions)
    var bare = family
    bare.mappingModels = []
    bareOrder = VersionOrder(of: bare, versions: family.versions)
  }

  /// - Returns: The indexes of the versions whose stores can't reach the target.
  func fill(_ report: inout FamilyReport) -> Set<Int> {
    var uses: [Int: Set<ReferenceStoreCheck.Use>] = [:]
    var drops = DropCheck(family)
    var accepted = AcceptedLossCheck(family)
    var stranded: Set<Int> = []
    for version in family.versions {
      var entry = FamilyReport.Version(
        name: version.name, names: version.names, paths: version.variants.map(\.path), target: nil,
        reach: .unreached, steps: [], problem: nil)
      do throws(FamilyError) {
        let target = try family.target(for: version)
        entry.target = target.name
        take(version, target, &entry, &uses, &drops, &accepted)
        let models = misleading(version, target)
        if !models.isEmpty || entry.problem != nil { stranded.insert(version.index) }
        note(
          entry, misledBy: models,
          isSuspected: order.relation(of: target.index, to: version.index) == .before, &report)
      } catch {
        entry.problem = "\(error)."
        stranded.insert(version.index)
        // One sentence for the family is enough.
        report.add(.error, "\(error).")
      }
      report.versions.append(entry)
    }
    drops.fill(&report)
    // An unknown path may lose anything. So names in `acceptedLosses` are reported only if all paths are known.
    if stranded.isEmpty { accepted.fill(&report) }
    for version in family.versions {
      guard let uses = uses[version.index] else { continue }
      ReferenceStoreCheck(family: family, version: version, uses: uses).fill(&report)
    }
    return stranded
  }

  /// The mapping models that make a default target seem older than a version.
  ///
  /// Without these mapping models the target wouldn't seem older. Stores of the version are refused because of them.
  private func misleading(_ version: FamilyVersion, _ target: FamilyVersion) -> [FamilyMappingModel] {
    guard family.configuration.target == nil,
      order.knownRelation(of: target.index, to: version.index) == .before,
      bareOrder.knownRelation(of: target.index, to: version.index) != .before
    else { return [] }
    return order.mappingModels(from: target.index, to: version.index, in: family)
  }

  private func note(
    _ entry: FamilyReport.Version, misledBy models: [FamilyMappingModel], isSuspected: Bool,
    _ report: inout FamilyReport
  ) {
    guard let target = entry.target else { return }
    if !models.isEmpty {
      let names = models.map { "“\($0.file.name)”" }.joined(separator: ", ")
      report.add(
        .error,
        "Stores of version “\(entry.name)” are refused: "
          + (models.count == 1
            ? "the mapping model \(names) leads" : "the mapping models \(names), one after the other, lead")
          + " from the target “\(target)” to “\(entry.name)”. So the target seems to be the older version, and it is only "
          + "a default. To migrate stores to “\(target)”, say target: \"\(target)\" in family.json5. To migrate them to "
          + "“\(entry.name)”, name that version."
          + (entry.problem.map { " There is no path to “\(target)” either: \($0)" } ?? ""),
        file: models.count == 1 ? models[0].file.path : nil)
    } else if entry.reach == .newer {
      let isStated = family.configuration.target != nil
      report.add(
        .warning,
        "Version “\(entry.name)” seems to be newer than the target “\(target)”"
          + (isStated
            ? "." : ": its stores are refused unless the target is named. Update the models.")
          + (entry.problem.map { " There is no path either: \($0)" } ?? ""))
    } else if isSuspected, entry.reach == .reached, family.configuration.target == nil {
      report.add(
        .warning,
        "Version “\(entry.name)” may be newer than the target “\(target)”, because a renaming identifier of "
          + "“\(entry.name)” names something of “\(target)”. Its stores are still migrated to “\(target)”. "
          + "Say in family.json5 which version is the “target”.")
    } else if let problem = entry.problem {
      report.add(.error, "Stores of version “\(entry.name)” can't reach “\(target)”: \(problem)")
    }
  }

  private func take(
    _ version: FamilyVersion, _ target: FamilyVersion, _ entry: inout FamilyReport.Version,
    _ uses: inout [Int: Set<ReferenceStoreCheck.Use>], _ drops: inout DropCheck,
    _ accepted: inout AcceptedLossCheck
  ) {
    guard version.index != target.index else {
      entry.reach = .isTarget
      uses[target.index, default: []].insert(.atTarget)
      return
    }
    let isNewer = order.knownRelation(of: target.index, to: version.index) == .before
    do throws(PlanError) {
      let path = try PathPlan.make(from: version, to: target, in: family)
      entry.reach = isNewer ? .newer : .reached
      entry.steps = path.steps.map { step in
        var names: [String] = []
        if case .mappingModels(let models) = step.work { names = models.map(\.file.name) }
        return FamilyReport.Step(
          source: step.source.name, destination: step.destination.name, mappingModels: names)
      }
      accepted.note(path.steps)
      if !isNewer {
        drops.note(path.steps, of: version)
        uses[version.index, default: []].insert(.source)
      }
      for step in path.steps.dropLast() { uses[step.destination.index, default: []].insert(.passage) }
      if let last = path.steps.last { uses[last.destination.index, default: []].insert(.destination) }
    } catch {
      entry.reach = isNewer ? .newer : .unreached
      entry.problem = "\(error)"
      switch error {
      case .notInferable, .inferenceRefused:
        if let gap = gap(from: version, to: target) { entry.problem = "\(error) \(gap)" }
      default: break
      }
    }
  }

  /// Sentences about the gap between two groups of mapping models: the chains from a version, and the chains to its
  /// target.
  private func gap(from version: FamilyVersion, to target: FamilyVersion) -> String? {
    let ends = ends(of: version.index, \.source, \.destination)
    let starts = self.ends(of: target.index, \.destination, \.source)
    guard ends != [version.index] || starts != [target.index], !ends.isEmpty, !starts.isEmpty,
      Set(ends).isDisjoint(with: starts)
    else { return nil }
    func names(_ indexes: [Int]) -> String {
      indexes.map { "“\(family.versions[$0].name)”" }.joined(separator: " or ")
    }
    let parts = [
      ends == [version.index] ? nil : "from “\(version.name)” to \(names(ends))",
      starts == [target.index] ? nil : "from \(names(starts)) to “\(target.name)”",
    ]
    return
      "Mapping models lead \(parts.compactMap { $0 }.joined(separator: ", and ")). A path is missing from "
      + "\(names(ends)) to \(names(starts))."
  }

  /// The versions where chains of mapping models from a version end.
  ///
  /// With the destination as `near` and the source as `far`, the chains are followed backward.
  private func ends(
    of version: Int, _ near: KeyPath<FamilyMappingModel, Int>, _ far: KeyPath<FamilyMappingModel, Int>
  ) -> [Int] {
    var found: Set<Int> = [version]
    var open = [version]
    while let next = open.popLast() {
      for model in family.mappingModels where model[keyPath: near] == next {
        if found.insert(model[keyPath: far]).inserted { open.append(model[keyPath: far]) }
      }
    }
    return found.filter { place in !family.mappingModels.contains { $0[keyPath: near] == place } }.sorted()
  }
}
