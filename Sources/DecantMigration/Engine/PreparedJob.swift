internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation

/// A job whose store is open and whose way is known: everything that can fail by itself has been found.
struct PreparedJob: Sendable {
  /// One inferred step with what it reads and writes.
  struct Step: Sendable {
    let source: FamilyVersion
    let destination: FamilyVersion
    let mapping: InferredMapping
    let destinationLayout: StoreLayout
    /// What `Z_MODELCACHE` holds; `nil` for no row.
    var modelCache: Data?
  }

  let job: MigrationJob
  let family: Family
  let store: SourceStore
  let sourceLayout: StoreLayout
  let source: FamilyVersion
  let target: FamilyVersion
  let steps: [Step]
  /// What becomes of the store's history in the first step; decided over all of them.
  let history: HistoryCarriage?
  let plan: MigrationPlan
}
