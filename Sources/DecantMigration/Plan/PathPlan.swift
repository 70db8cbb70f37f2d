public import DecantMapping

/// The way of a store from one version of a family to another.
public struct PathPlan: Sendable {
  /// One step: one destination store is written.
  public struct Step: Sendable {
    /// What a step runs.
    public enum Work: Sendable {
      case inferred(InferredMapping)
      /// Mapping models for one pair of versions, as passes in this order as far as it is stated.
      case mappingModels([FamilyMappingModel])
    }

    public let source: FamilyVersion
    public let destination: FamilyVersion
    public let work: Work
  }

  public let source: FamilyVersion
  public let destination: FamilyVersion
  /// Empty where the store is at its destination already.
  public let steps: [Step]
  /// Sentences for the person who reads the report: what makes the plan look wrong without forbidding it.
  public let warnings: [String]

  /// The files of the mapping models that the plan runs, in order.
  public var mappingModelFiles: [MappingModelFile] {
    steps.flatMap { step -> [MappingModelFile] in
      guard case .mappingModels(let models) = step.work else { return [] }
      return models.map(\.file)
    }
  }

  /// Plans the way between two versions of a family.
  ///
  /// An inferred step never bypasses a pair of versions that has a mapping model: where the way can lead through
  /// mapping models it does. Otherwise it is one inferred step, or the shortest chain of them over other versions.
  /// Versions have no order, so that almost anything could lie “on the way”: a mapping model counts unless it is
  /// known to lie before the source or after the destination (`VersionOrder`).
  ///
  /// - Throws: `PlanError` where there is no way, or more than one.
  public static func make(
    from source: FamilyVersion, to destination: FamilyVersion, in family: Family
  ) throws(PlanError) -> PathPlan {
    switch source.origin {
    case .ownModel(let nearest): try OwnModelWay(family, nearest).check(from: source, to: destination)
    case .merge where source.index != destination.index:
      return try MergedWay(from: source, to: destination, in: family).plan()
    case .configuration where source.index != destination.index:
      if let part = family.part, !part.unplacedMappingModels.isEmpty {
        throw .unplacedMappingModels(
          configuration: part.configuration, mappingModels: part.unplacedMappingModels)
      }
    case .configuration, .merge, .catalogue: break
    }
    let planner = PathPlanner(from: source, to: destination, in: family)
    let steps = try planner.steps()
    return PathPlan(source: source, destination: destination, steps: steps, warnings: planner.warnings)
  }
}
