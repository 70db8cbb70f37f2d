internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation

/// A job whose store is open and whose way is known: everything that can fail by itself has been found.
struct PreparedJob: Sendable {
  /// One step with what it carries out.
  struct Step: Sendable {
    enum Work: Sendable {
      case inferred(InferredMapping)
      /// Mapping models, one a pass, in order.
      case passes([MappingModel])
    }

    let source: FamilyVersion
    let destination: FamilyVersion
    let work: Work
    let destinationLayout: StoreLayout
    /// What `Z_MODELCACHE` holds; `nil` for no row.
    var modelCache: Data?
    /// What its mapping models should be looked at for.
    var findings: [PlanFinding] = []

    /// The inferred mapping; `nil` where mapping models run.
    var mapping: InferredMapping? { if case .inferred(let mapping) = work { mapping } else { nil } }

    /// The mapping models, one a pass.
    var mappingModels: [MappingModel] {
      switch work {
      case .inferred(let mapping): [mapping.mappingModel]
      case .passes(let models): models
      }
    }
  }

  let job: MigrationJob
  let family: Family
  /// The store as the first step reads it.
  let store: SourceStore
  let sourceLayout: StoreLayout
  let source: FamilyVersion
  let target: FamilyVersion
  let steps: [Step]
  /// What the memory of the family calls the store and its way; `nil` where it doesn't know them.
  let question: (store: FamilyQuestion.Store, path: FamilyQuestion.Path)?
  /// What becomes of the store's history in the first step; decided over all of them.
  let history: HistoryCarriage?
  /// The rows that were put aside before; `nil` where there were none.
  var strays: StrayQuarantine?
  let plan: MigrationPlan

  /// Whether the job or its family asks for the associations.
  var keepsAssociations: Bool { job.keepsAssociations || family.configuration.keepAssociations }
}
