internal import DecantStore

/// Consecutive steps for a store, and facts about the path that are computed only once.
final class PlannedPath: Sendable {
  let steps: [PlannedStep]
  private let displaced = Once<[[DisplacedPairs.Question]]>()
  private let inlined = Once<[InlinedAttribute]>()

  init(_ steps: [PlannedStep]) { self.steps = steps }

  /// The store's names for entities and properties of later versions.
  var origins: StoreOrigins { StoreOrigins(steps: steps) }

  var isInferred: Bool { steps.allSatisfy { $0.inferred != nil } }

  /// For each inferred step before the first mapping model: the relationships that may lose pairs.
  var displacedPairs: [[DisplacedPairs.Question]] {
    displaced {
      steps.prefix { $0.inferred != nil }.enumerated().map { index, step in
        DisplacedPairs(step.pairing, origins: origins, step: index, layout: steps[0].sourceLayout).questions()
      }
    }
  }

  var inlinedAttributes: [InlinedAttribute] { inlined { InlinedAttribute.all(on: steps) } }
}
