internal import DecantCatalogue
internal import DecantEngine
internal import DecantMapping
internal import DecantReport
internal import DecantStore
internal import Foundation

/// A job with an open store and a known path, after all checks that need no row to be written.
struct PreparedJob: Sendable {
  let job: MigrationJob
  let family: Family
  /// The store as the first step reads it.
  let store: SourceStore
  let sourceLayout: StoreLayout
  let source: FamilyVersion
  let target: FamilyVersion
  let path: PlannedPath
  /// The content of the result's `Z_MODELCACHE`; `nil` for no row.
  let modelCache: Data?
  /// How the first step treats the store's history, in view of all steps; `nil` without a step.
  let history: HistoryCarriage?
  /// The quarantined stray rows; `nil` if there were none, or if the job has no step.
  var strays: StrayQuarantine?
  let plan: MigrationPlan
  /// How each step makes its file; `nil` for a step with mapping models.
  var ways: [StepWay?]

  var steps: [PlannedStep] { path.steps }

  var keepsAssociations: Bool { job.keepsAssociations || family.configuration.keepAssociations }

  var hasChunks: Bool { job.chunkSize != nil || family.configuration.chunkSize != nil }
}
