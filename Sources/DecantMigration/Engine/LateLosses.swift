internal import DecantStore

/// What a later step loses that can be counted only in the store which the steps before it have made.
///
/// Through inferred steps what a loss is called can be followed back to the store; mapping models make objects anew.
struct LateLosses {
  private let prepared: PreparedJob
  private let index: Int

  /// - Parameter step: Its place, from 0.
  init(_ prepared: PreparedJob, step: Int) {
    self.prepared = prepared
    index = step
  }

  /// - Parameters:
  ///   - source: What the step reads.
  ///   - now: What `now()` stands for, in seconds since 2001.
  /// - Returns: The losses under the names of the step's source version.
  /// - Throws: As `LossCount.losses()`.
  func losses(
    in source: SourceStore, _ layout: StoreLayout, now: Double
  ) throws(MigrationFailure) -> [MigrationReport.Loss] {
    guard index > 0 else { return [] }
    let step = prepared.steps[index]
    let count = LossCount(
      steps: [step], counts: StoreCounts(store: source, layout: layout), family: prepared.family,
      external: ExternalData(store: prepared.job.source), name: prepared.job.source.lastPathComponent, now: now)
    var losses: [MigrationReport.Loss] = []
    if prepared.steps.prefix(index).contains(where: { $0.mapping == nil }) {
      losses = try count.losses()
    } else if step.mapping == nil {
      losses = try count.losses(ofFilters: step)
    }
    for place in losses.indices { losses[place].version = step.source.name }
    return losses
  }
}
