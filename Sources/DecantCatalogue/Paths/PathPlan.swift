public import DecantMapping

/// The path of a store from one version of a family to another.
public struct PathPlan: Sendable {
  /// One step, which writes one destination store.
  public struct Step: Sendable {
    /// The work of a step.
    public enum Work: Sendable {
      case inferred(InferredMapping)
      /// Mapping models for one pair of versions, as passes in the stated order.
      case mappingModels([FamilyMappingModel])
    }

    public let source: FamilyVersion
    public let destination: FamilyVersion
    public let work: Work

    package var isInferred: Bool { if case .inferred = work { true } else { false } }

    package init(source: FamilyVersion, destination: FamilyVersion, work: Work) {
      self.source = source
      self.destination = destination
      self.work = work
    }
  }

  public let source: FamilyVersion
  public let destination: FamilyVersion
  /// Empty if the store has the destination version already.
  public let steps: [Step]
  /// Sentences for the report about doubtful points that don't forbid the plan.
  public let warnings: [String]

  package init(
    source: FamilyVersion, destination: FamilyVersion, steps: [Step], warnings: [String]
  ) {
    self.source = source
    self.destination = destination
    self.steps = steps
    self.warnings = warnings
  }

  /// The files of the plan's mapping models, in order.
  public var mappingModelFiles: [MappingModelFile] {
    steps.flatMap { step -> [MappingModelFile] in
      guard case .mappingModels(let models) = step.work else { return [] }
      return models.map(\.file)
    }
  }

  /// Plans the path between two versions of a family.
  ///
  /// The path that `family.json5` states is used as far as it leads from the source to the destination. Elsewhere an
  /// inferred step never bypasses a pair of versions that has a mapping model: if a path through mapping models exists,
  /// it is taken. Otherwise the path is one inferred step, or the shortest chain of inferred steps over other versions.
  ///
  /// Versions have no order, so almost any mapping model could lie between the ends. A mapping model is considered
  /// unless it seems to lie before the source or after the destination (`VersionOrder`).
  ///
  /// Consecutive inferred steps become one step if that gives the same store.
  ///
  /// - Throws: `PlanError` if no path exists, or if it isn't known which path is the right one.
  public static func make(
    from source: FamilyVersion, to destination: FamilyVersion, in family: Family
  ) throws(PlanError) -> PathPlan {
    try make(from: source, to: destination, in: family, joiningSteps: true)
  }

  /// - Parameter joiningSteps: Whether consecutive inferred steps become one step where that gives the same store.
  package static func make(
    from source: FamilyVersion, to destination: FamilyVersion, in family: Family, joiningSteps: Bool
  ) throws(PlanError) -> PathPlan {
    let plan = try stepwise(from: source, to: destination, in: family)
    guard joiningSteps else { return plan }
    return PathPlan(
      source: plan.source, destination: plan.destination, steps: plan.steps.joined(in: family),
      warnings: plan.warnings)
  }

  private static func stepwise(
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
