internal import DecantMapping

extension [PathPlan.Step] {
  /// The steps; consecutive inferred steps are joined into one where that gives the same store.
  func joined(in family: Family) -> [PathPlan.Step] {
    reduce(into: []) { joined, step in
      guard let last = joined.last, case .inferred(let first) = last.work,
        case .inferred(let second) = step.work,
        // Only the last step quarantines duplicates. Duplicates in the version between must refuse the store.
        family.configuration.validation != .quarantine
          || step.source.model.entities.allSatisfy(\.uniquenessConstraints.isEmpty),
        let mapping = JoinedInference(
          first, second, from: last.source.model, over: step.source.model, to: step.destination.model
        ).mapping(renames: family.renames(to: step.destination), history: family.renameHistory)
      else { return joined.append(step) }
      joined[joined.count - 1] = PathPlan.Step(
        source: last.source, destination: step.destination, work: .inferred(mapping))
    }
  }
}
