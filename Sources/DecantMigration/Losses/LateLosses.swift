internal import DecantMapping
internal import DecantModel
internal import DecantReport
internal import DecantStore

/// A later step's losses that can be counted only in the store that the earlier steps have made.
///
/// A loss of an inferred step can be traced back to the job's store. Mapping models make new objects, so a loss after a
/// step with mapping models can't be traced back.
struct LateLosses {
  private let prepared: PreparedJob
  private let index: Int

  /// - Parameter step: The step's index, from 0.
  init(_ prepared: PreparedJob, step: Int) {
    self.prepared = prepared
    index = step
  }

  struct Findings {
    var losses: [MigrationReport.Loss] = []
    var warnings: [String] = []
  }

  /// - Parameters:
  ///   - source: The store that the step reads.
  ///   - now: The value of `now()`, in seconds since 2001.
  ///   - observer: Asked now and then during long scans of the source.
  /// - Returns: The losses under the names of the step's source version, and the warnings. Both are empty for the first
  ///   step, and for an inferred step after another inferred step.
  func findings(
    in source: SourceStore, now: Double, observer: @escaping @Sendable () -> Bool
  ) throws(MigrationFailure) -> Findings {
    guard index > 0 else { return Findings() }
    let step = prepared.steps[index]
    let followsMappingModels = prepared.steps[index - 1].inferred == nil
    guard followsMappingModels || step.inferred == nil else { return Findings() }
    // Consecutive inferred steps are counted together. So a property that one step adds and the next step drops isn't a
    // loss.
    let count = LossCount(
      path: PlannedPath(followsMappingModels ? Array(prepared.steps[index...]) : [step]),
      counts: StoreCounts(store: source, layout: step.sourceLayout), family: prepared.family,
      external: ExternalData(store: prepared.job.source), name: prepared.job.storeName,
      version: step.source.name, now: now, isStrict: prepared.job.refusesLosses, observer: observer)
    return Findings(
      losses: try followsMappingModels ? count.losses() : count.losses(whenBegun: step),
      warnings: try count.uncounted(step))
  }

  /// The losses that a plan can't count, because the step's source doesn't exist yet.
  static func uncounted(_ steps: [PlannedStep]) -> [MigrationPlan.UncountedLosses] {
    guard let first = steps.firstIndex(where: { $0.inferred == nil }) else { return [] }
    return steps.enumerated().compactMap { index, step in
      guard index > first || (index == first && index > 0) else { return nil }
      var lost: [String] = []
      if let mapping = step.inferred {
        lost = mapping.drops.map { drop in drop.property.map { "\(drop.entity).\($0)" } ?? drop.entity }
      } else if index > first {
        lost = MappingCoverage(step.mappingModels, from: step.source.model, to: step.destination.model).untaken
        lost += step.unread.lost.map { "\($0.entity).\($0.name)" }
      }
      if step.inferred == nil { lost += Self.chosen(step, withRemovals: index > first) }
      return MigrationPlan.UncountedLosses(
        step: index + 1, source: step.source.name, destination: step.destination.name, names: lost)
    }
  }

  static func notes(_ steps: [PlannedStep]) -> [String] {
    uncounted(steps).map { losses in
      let way =
        "The losses of the step “\(losses.source)” to “\(losses.destination)” are counted when it begins"
      let names = losses.names.isEmpty ? "" : ": \(listed(Array(losses.names.prefix(8))))"
      return way + names + (losses.names.count > 8 ? " and \(losses.names.count - 8) more." : ".")
    }
  }

  /// The names of losses that depend on the rows: entities whose objects may be left out, and attributes that only some
  /// objects lose.
  ///
  /// - Parameter withRemovals: Whether to name entities whose objects are all removed.
  private static func chosen(_ step: PlannedStep, withRemovals: Bool) -> [String] {
    let all = step.mappingModels.flatMap(\.entityMappings)
    var names: [String] = []
    for name in all.compactMap(\.sourceEntityName) where !names.contains(name) {
      let taking = all.filter { $0.sourceEntityName == name && $0.destinationEntityName != nil }
      if taking.isEmpty ? withRemovals : taking.allSatisfy(\.chooses) { names.append(name) }
    }
    return names + step.unread.partlyRead.map { "\($0.entity).\($0.attribute)" }
  }
}
