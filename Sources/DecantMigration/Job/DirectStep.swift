internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies
internal import DecantReport
internal import DecantStore
internal import Foundation

/// One step between two models in a program's memory; it reads no catalogue.
struct DirectStep: Sendable {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// The files from which the models were read; `nil` for a model without a file.
  let files: (source: URL?, destination: URL?)
  /// The mapping models, one for each pass; empty for an inferred step.
  let passes: [MappingModel]
  /// Genuine stores of the models, which settle facts that the rules leave open.
  let referenceStores: [URL]

  /// The name that messages show in place of a family's name.
  static let name = "(models in memory)"

  /// The folder in which policy programs run.
  ///
  /// This is the folder of the first mapping model that has a file, else of the first model that has a file, else “/”.
  private var folder: URL {
    let file = passes.lazy.compactMap(\.path).first.map { URL(fileURLWithPath: $0) }
    return (file ?? files.source ?? files.destination)?.deletingLastPathComponent() ?? URL(fileURLWithPath: "/")
  }

  func family() -> Family {
    Family(
      named: Self.name,
      models: [
        ("source model", source, files.source), ("destination model", destination, files.destination),
      ], folder: folder, referenceStores: referenceStores)
  }

  func path(for store: SourceStore, in family: Family) throws(MigrationFailure) -> PathPlan {
    guard family.versions.count == 2 else {
      throw Self.failure(.unknownVersion, code: 134_130, "One of the two models can't be used.")
    }
    let (from, to) = (family.versions[0], family.versions[1])
    guard store.metadata.versionHashes == from.hashes else {
      throw Self.failure(.unknownVersion, "\(store.path) isn't a store of the source model.")
    }
    let work: PathPlan.Step.Work
    if passes.isEmpty {
      do throws(InferenceError) {
        work = .inferred(try InferredMapping.make(from: source, to: destination))
      } catch {
        throw Self.failure(.notInferable, "\(error).")
      }
    } else {
      work = .mappingModels([])
    }
    return PathPlan(
      source: from, destination: to, steps: [.init(source: from, destination: to, work: work)], warnings: [])
  }

  static func failure(
    _ reason: FailureReason, code: Int? = nil, _ message: String, details: [String] = []
  ) -> MigrationFailure {
    MigrationFailure(
      reason, .refuse, coreDataCode: code, message: message, details: details)
  }
}
