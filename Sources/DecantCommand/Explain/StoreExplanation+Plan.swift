internal import DecantAuthoring
internal import DecantCatalogue
internal import DecantConsole
internal import DecantMapping
internal import DecantMigration
internal import DecantReport
internal import FileNames
internal import Foundation

extension StoreExplanation {
  /// - Parameter family: The store's family, for the file names of mapping models; `nil` if it can't be read.
  init(_ plan: MigrationPlan, family: Family?, _ question: ExplainQuestion) {
    store = plan.store
    self.family = plan.family
    version = plan.sourceVersion
    target = plan.targetVersion
    knownBy = Self.knownBy(plan)
    steps = plan.steps.map { step in
      let files = family.map { Self.files(of: step, in: $0) } ?? []
      return Step(
        source: step.source, destination: step.destination, way: Self.way(step, files),
        reasons: Self.reasons(step, files))
    }
    losses = plan.losses
    uncounted = plan.uncounted
    hasCode = plan.steps.contains { $0.entityMappings.contains { $0.policy != nil } }
    missing = plan.missingCode
    warnings = plan.warnings
    next = question.next(after: plan, family: family)
  }

  private static func knownBy(_ plan: MigrationPlan) -> String {
    switch plan.sourceOrigin {
    case "own-model":
      "The catalogue doesn't have its version. The store keeps its own model"
        + (plan.nearestVersion.map { "; the nearest version is “\($0)”." } ?? ".")
    case "configuration": "Its version hashes are those of a configuration of this version."
    case "merge": "Its version hashes are those of several models, merged: one from each of several bundles."
    default:
      "Its version hashes are those of this version" + alsoNamed(plan) + "."
    }
  }

  /// Several models may have the same name, so each name is given once.
  private static func alsoNamed(_ plan: MigrationPlan) -> String {
    var others: [String] = []
    for name in plan.sourceVersionNames where name != plan.sourceVersion && !others.contains(name) {
      others.append(name)
    }
    return others.isEmpty ? "" : ", which is also named " + Quantity.list(others, shown: 3)
  }

  private static func files(of step: MigrationPlan.Step, in family: Family) -> [MappingModelFile] {
    guard let source = family.version(named: step.source),
      let destination = family.version(named: step.destination)
    else { return [] }
    let files = family.mappingModels(from: source.index, to: destination.index).map(\.file)
    return files.count == step.passes.count ? files : []
  }

  private static func way(_ step: MigrationPlan.Step, _ files: [MappingModelFile]) -> String {
    if step.isInferred { return "inferred" + (step.wayWords.map { ", \($0)" } ?? "") }
    let names = files.isEmpty ? step.passes : files.map { PathText.name(of: $0.path).text }
    return names.joined(separator: ", then ")
  }

  private static func reasons(_ step: MigrationPlan.Step, _ files: [MappingModelFile]) -> [String] {
    if step.isInferred {
      return ["Every change can be inferred, and no mapping model is for this pair of versions"]
        + (step.wayReason.map { ["Written \(step.wayWords ?? ""), because \($0)".withoutRepeatedBecause] } ?? [])
    }
    let forms = Set(files.map(form))
    var reasons = [
      "The family has \(step.passes.count == 1 ? "this mapping model" : "these mapping models") for the pair"
        + (forms.isEmpty ? "" : ": \(forms.sorted().joined(separator: ", "))")
    ]
    let policies = step.entityMappings.filter { $0.policy != nil }
    if !policies.isEmpty {
      let calls = policies.map { "\($0.name): \($0.policy ?? "")" }
      reasons.append("A policy makes the objects of \(Quantity.list(calls, shown: 3))")
    }
    return reasons + rowReasons(step)
  }

  /// A sentence for each reason why entity mappings without a policy run row by row.
  private static func rowReasons(_ step: MigrationPlan.Step) -> [String] {
    var byReason: [(reason: String, names: [String])] = []
    for mapping in step.entityMappings where mapping.policy == nil {
      guard case .rows(let reason) = mapping.way else { continue }
      if let place = byReason.firstIndex(where: { $0.reason == reason }) {
        byReason[place].names.append(mapping.name)
      } else {
        byReason.append((reason, [mapping.name]))
      }
    }
    return byReason.map { reason, names in
      "\(Quantity.list(names, shown: 3)) \(names.count == 1 ? "runs" : "run") row by row, because of \(reason)"
    }
  }

  private static func form(_ file: MappingModelFile) -> String {
    if file.path.hasSuffix(NewMapping.ending) { return "a text" }
    return file.path.hasSuffix(".cdm") ? "compiled by Xcode" : "Xcode's file"
  }
}

extension String {
  /// The text without a repeated “because”, because a reason may begin with this word.
  fileprivate var withoutRepeatedBecause: String { replacing("because because", with: "because") }
}
