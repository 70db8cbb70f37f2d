internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantStore
internal import Foundation

/// Checks the mapping models of each pair of versions.
struct MappingModelsCheck {
  private struct Pair: Hashable {
    let source: Int
    let destination: Int
  }

  private let family: Family

  private let classes: RegisteredClasses

  /// Whether all of the family could be read.
  ///
  /// If not, the paths, the order of passes and the accepted losses aren't known.
  private let isWhole: Bool

  /// The indexes of the versions whose stores can't reach the target, as `WayCheck` reports.
  private let stranded: Set<Int>

  init(_ family: Family, classes: RegisteredClasses, isWhole: Bool = true, stranded: Set<Int> = []) {
    self.family = family
    self.classes = classes
    self.isWhole = isWhole
    self.stranded = stranded
  }

  /// - Returns: Whether a mapping model names a policy program, or couldn't be checked and may name one. A policy
  ///   program may read any file of the family's folder.
  func fill(_ report: inout FamilyReport) -> Bool {
    var policies = PolicyNeeds(family, classes: classes)
    var pairs: [Pair] = []
    for model in family.mappingModels {
      let pair = Pair(source: model.source, destination: model.destination)
      if !pairs.contains(pair) { pairs.append(pair) }
    }
    let steps = Set(report.versions.flatMap(\.steps).filter { !$0.mappingModels.isEmpty })
    for pair in pairs.sorted(by: { ($0.source, $0.destination) < ($1.source, $1.destination) }) {
      guard family.versions.indices.contains(pair.source), family.versions.indices.contains(pair.destination)
      else { continue }
      take(pair, steps, &policies, &report)
    }
    policies.fill(&report)
    let read = report.pairs.reduce(0) { $0 + $1.mappingModels.count }
    return read < family.mappingModels.count || report.policies.contains { $0.kind == .program }
  }

  private func take(
    _ pair: Pair, _ steps: Set<FamilyReport.Step>, _ policies: inout PolicyNeeds, _ report: inout FamilyReport
  ) {
    let (source, destination) = (family.versions[pair.source], family.versions[pair.destination])
    let files = family.mappingModels(from: pair.source, to: pair.destination)
    let isUsed = steps.contains { step in
      source.names.contains(step.source) && destination.names.contains(step.destination)
    }
    var entry = FamilyReport.Pair(
      source: source.name, destination: destination.name, mappingModels: [], untaken: [], unmade: [],
      isUsed: isUsed)
    defer { report.pairs.append(entry) }
    if isWhole, let order = UnknownPassOrder(files, from: source, to: destination) {
      report.add(.error, "\(order.message) \(order.advice)")
    }
    let surveyed = self.readings(files, source, destination, &report)
    noteEqualNames(surveyed, &report)
    let areWhole = surveyed.count == files.count && surveyed.allSatisfy(\.isWhole)
    let layouts = layouts(source, destination)
    for (index, item) in surveyed.enumerated() {
      var others = surveyed.map(\.model)
      others.remove(at: index)
      addFindings(item, others, areWhole: areWhole, source, destination, &report)
      policies.note(item.model)
    }
    let readings = surveyed.filter(\.isWhole)
    let models = readings.map(\.model)
    let plan = layouts.map { PassPlan(source: $0.source, destination: $0.destination, mappingModels: models) }
    for item in readings {
      addDrops(item, source, destination, &report)
      entry.mappingModels.append(facts(item.model, path: item.file.path, plan, &report))
    }
    // An unreadable file might contain what seems to be missing. So missing entity mappings aren't reported then.
    guard areWhole else { return }
    let coverage = MappingCoverage(models, from: source.model, to: destination.model)
    (entry.untaken, entry.unmade) = (coverage.untaken, coverage.unmade)
    let place = models.map { "“\($0.name)”" }.joined(separator: ", ")
    let hasPolicies = models.flatMap(\.entityMappings).contains { $0.policy != nil }
    addCoverage(
      coverage, source, destination, "“\(source.name)” to “\(destination.name)” (\(place))", hasPolicies,
      isText: models.contains(where: \.isText), &report)
    // If a part of the family couldn't be read, other passes and the accepted losses may be missing. So these two
    // checks would report too much.
    if isWhole {
      UnreadCheck(models, of: family, from: source, to: destination).fill(&report)
      RenameCheck(models, of: family, from: source, to: destination).fill(&report)
    }
    // A path that couldn't be made because of an error might use this pair. Then the pair isn't reported.
    if isWhole, !isUsed, stranded.isDisjoint(with: [pair.source, pair.destination]) {
      report.add(
        .note,
        "“\(source.name)” to “\(destination.name)” (\(place)): no version's path to the target uses this step."
      )
    }
  }

  private func addDrops(
    _ item: Item, _ source: FamilyVersion, _ destination: FamilyVersion, _ report: inout FamilyReport
  ) {
    for drop in DropCheck.open(item.model.inferredLosses.drops, of: family, in: source.model) {
      report.add(
        .warning,
        DropCheck.sentence(
          entity: drop.entity, property: drop.property,
          ways: [DropCheck.way(to: destination.name, from: "“\(source.name)”")],
          renames: drop.probableRename.map { [$0] } ?? []), file: item.file.path)
    }
  }

  private func addCoverage(
    _ coverage: MappingCoverage, _ source: FamilyVersion, _ destination: FamilyVersion, _ pair: String,
    _ hasPolicies: Bool, isText: Bool, _ report: inout FamilyReport
  ) {
    let unmade = Set(coverage.unmade)
    // In a text mapping model this is an error, which `MappingCheck` finds in its file.
    for name in coverage.untaken where !isText {
      report.add(
        .warning,
        unmade.contains(name)
          ? "\(pair): no entity mapping takes objects of “\(name)”, though “\(destination.name)” has that entity too; "
            + "these objects are not migrated. Add { source: \"\(name)\", destination: \"\(name)\" }, or say "
            + "{ remove: \"\(name)\" }."
          : "\(pair): no entity mapping takes objects of “\(name)”; these objects are not migrated. Add an entity "
            + "mapping, or say { remove: \"\(name)\" }.")
    }
    for name in coverage.unmade where !coverage.untaken.contains(name) {
      if coverage.removed.contains(name) {
        report.add(
          .note,
          "\(pair): objects of “\(name)” are removed, though “\(destination.name)” has that entity too; new stores have "
            + "none.")
      } else if hasPolicies {
        report.add(
          .note,
          "\(pair): no entity mapping makes objects of “\(name)”; this check can't see whether a policy makes any."
        )
      } else if source.model.entity(named: name) == nil {
        report.add(
          .note, "\(pair): no entity mapping makes objects of the new entity “\(name)”; new stores have none.")
      } else {
        report.add(
          .warning,
          "\(pair): entity mappings take objects of “\(name)”, but no entity mapping makes any, though "
            + "“\(destination.name)” has that entity too; new stores have none.")
      }
    }
  }

  /// Reports passes with equal names: plan, log and report can't distinguish them.
  private func noteEqualNames(_ items: [Item], _ report: inout FamilyReport) {
    var first: [String: Item] = [:]
    for item in items {
      if let other = first[item.model.name] {
        report.add(
          .warning,
          "it has the same name “\(item.model.name)” as \(other.file.path); plan and report can't distinguish the two passes. "
            + "Give one of them another “name”.", file: item.file.path)
      } else {
        first[item.model.name] = item
      }
    }
  }

  // MARK: Files

  private struct Item {
    let file: MappingModelFile
    let reading: MappingModelReading
    let model: MappingModel
    /// Whether all of the file could be read.
    let isWhole: Bool
  }

  private func readings(
    _ files: [FamilyMappingModel], _ source: FamilyVersion, _ destination: FamilyVersion,
    _ report: inout FamilyReport
  ) -> [Item] {
    var surveyed: [(file: MappingModelFile, reading: MappingModelReading, isWhole: Bool)] = []
    for file in files.map(\.file) {
      do throws(MappingModelError) {
        let (reading, fault) = try MappingModelReading.survey(at: URL(fileURLWithPath: file.path))
        if let fault { Self.note(fault, of: file.path, &report) }
        surveyed.append((file, reading, fault == nil))
      } catch {
        Self.note(error, of: file.path, &report)
      }
    }
    var items: [Item] = []
    // An unreadable file may take other entities, or rename them. Then no entity mappings are added for
    // `others: "infer"`.
    let areKnown = isWhole && surveyed.count == files.count && surveyed.allSatisfy(\.isWhole)
    for (index, item) in surveyed.enumerated() {
      var others = surveyed.map(\.reading)
      others.remove(at: index)
      do throws(MappingModelError) {
        let model = try item.reading.compiled(
          from: source.model, to: destination.model,
          completing: areKnown ? family.otherEntities(to: destination, besides: others) : nil)
        for warning in item.reading.warnings { report.add(.note, "\(warning).", file: item.file.path) }
        items.append(Item(file: item.file, reading: item.reading, model: model, isWhole: item.isWhole))
      } catch {
        Self.note(error, of: item.file.path, &report)
      }
    }
    return items
  }

  private func addFindings(
    _ item: Item, _ others: [MappingModel], areWhole: Bool, _ source: FamilyVersion,
    _ destination: FamilyVersion,
    _ report: inout FamilyReport
  ) {
    let findings = MappingCheck.findings(
      in: item.model, from: source.model, to: destination.model, reading: item.reading, passes: others,
      arePassesWhole: areWhole,
      acceptsStaleHashes: family.configuration.acceptStaleHashes.accepts(item.file.name),
      needsAllEntities: true)
    // `PolicyNeeds` looks for functions in the worker, so the findings about functions are skipped here.
    for (place, var finding) in findings.enumerated() where finding.subject != .function {
      // `acceptStaleHashes` may be in the part that couldn't be read. Then stale hashes aren't reported.
      if finding.subject == .hash, !isWhole { continue }
      // The file is read again for each line number, so only the first findings get one.
      let found = place < Self.maximumLines ? item.reading.place(of: finding) : nil
      finding.path = nil
      report.add(
        finding.severity == .error ? .error : .warning, finding.description, file: item.file.path,
        line: found?.line, excerpt: found?.excerpt ?? [])
    }
  }

  private static let maximumLines = 50

  static func note(_ error: MappingModelError, of path: String, _ report: inout FamilyReport) {
    for part in error.parts {
      // The finding has the path already, so the sentence begins without it.
      let words = "\(part.sentence)."
      let start = "\(path) "
      report.add(
        .error, words.hasPrefix(start) ? "it \(words.dropFirst(start.count))" : words, file: path,
        line: part.line, excerpt: part.excerpt)
    }
  }

  // MARK: Ways

  private func layouts(
    _ source: FamilyVersion, _ destination: FamilyVersion
  ) -> (source: StoreLayout, destination: StoreLayout)? {
    guard let from = try? StoreLayout(source.model, framework: .current),
      let to = try? StoreLayout(destination.model, framework: .current)
    else { return nil }
    return (from, to)
  }

  private func facts(
    _ model: MappingModel, path: String, _ plan: PassPlan?, _ report: inout FamilyReport
  ) -> FamilyReport.MappingModelFacts {
    var entities: [FamilyReport.EntityMappingFacts] = []
    for mapping in model.entityMappings {
      let placed = plan?.mappings.first { $0.mapping == mapping }
      let way = placed.flatMap { placed in plan.map { EntityMappingWork($0, placed).planned } }
      entities.append(.init(name: mapping.name, way: way))
      if mapping.policy == nil, case .rows(let reason)? = way {
        report.add(
          .note, "Entity mapping “\(mapping.name)” runs row by row, because of \(reason).", file: path)
      }
    }
    return .init(name: model.name, path: path, entityMappings: entities)
  }
}
