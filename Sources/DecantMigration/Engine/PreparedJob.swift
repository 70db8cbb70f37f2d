internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import Foundation

/// A job with an open store and a known path; every error that can be found beforehand has been found.
struct PreparedJob: Sendable {
  /// One step with its work.
  struct Step: Sendable {
    enum Work: Sendable {
      case inferred(InferredMapping)
      /// Mapping models, one for each pass, in order.
      case passes([MappingModel])
    }

    let source: FamilyVersion
    let destination: FamilyVersion
    let work: Work
    let destinationLayout: StoreLayout
    /// The content of `Z_MODELCACHE`; `nil` for no row.
    var modelCache: Data?
    /// Findings about its mapping models.
    var findings: [PlanFinding] = []

    /// The inferred mapping; `nil` if mapping models run.
    var mapping: InferredMapping? { if case .inferred(let mapping) = work { mapping } else { nil } }

    /// The mapping models, one for each pass.
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
  /// The keys of store and path in the family's memory; `nil` if the memory doesn't know them.
  let question: (store: FamilyQuestion.Store, path: FamilyQuestion.Path)?
  /// How the first step treats the store's history; all steps are considered.
  let history: HistoryCarriage?
  /// The stray rows that were put aside; `nil` if there were none.
  var strays: StrayQuarantine?
  let plan: MigrationPlan

  /// Whether the job or its family keeps associations.
  var keepsAssociations: Bool { job.keepsAssociations || family.configuration.keepAssociations }
}
