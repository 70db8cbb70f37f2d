internal import DecantCatalogue
internal import DecantMapping
internal import DecantPasses

extension Verification {
  /// The compared versions, and how each step was compared.
  public struct Way: Sendable, Hashable, Codable {
    /// How a step was compared; the raw values are stable words for scripts.
    public enum Means: String, Sendable, Hashable, Codable {
      /// By the rules of an inferred mapping, on both stores.
      case inferred
      /// By computing the result again with the kept associations' keys, if possible in another way than the migration.
      case associations
    }

    /// One step.
    public struct Step: Sendable, Hashable, Codable {
      public var sourceVersion: String
      public var destinationVersion: String
      /// The names of the mapping models, in order; empty for an inferred step.
      public var mappingModels: [String]
      public var means: Means
    }

    public var sourceVersion: String
    public var destinationVersion: String
    /// Empty if both stores have the same version.
    public var steps: [Step]
    /// The path of the file of associations, if one was used.
    public var associations: String?
  }
}

extension Verification.Way: CustomStringConvertible {
  init(_ pair: CataloguePair, _ steps: [PathPlan.Step], associations: String? = nil) {
    self.init(
      sourceVersion: pair.source.name, destinationVersion: pair.destination.name,
      steps: steps.map { step in
        guard case .mappingModels(let files) = step.work else {
          return Step(
            sourceVersion: step.source.name, destinationVersion: step.destination.name, mappingModels: [],
            means: .inferred)
        }
        return Step(
          sourceVersion: step.source.name, destinationVersion: step.destination.name,
          mappingModels: files.map(\.file.name), means: .associations)
      }, associations: associations)
  }

  public var description: String {
    guard !steps.isEmpty else { return "both of version “\(sourceVersion)”." }
    let parts = steps.map { step in
      let how =
        step.mappingModels.isEmpty
        ? "inferred"
        : "by \(step.mappingModels.joined(separator: ", ")), evaluated again over the associations"
      return "“\(step.sourceVersion)” to “\(step.destinationVersion)” \(how)"
    }
    return parts.joined(separator: "; ") + (associations.map { ". Associations: \($0)" } ?? "") + "."
  }
}
