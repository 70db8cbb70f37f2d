internal import DecantMapping

extension [PathPlan.Step] {
  /// The steps; consecutive inferred steps are joined into one where that gives the same store.
  func joined(in family: Family) -> [PathPlan.Step] {
    reduce(into: []) { joined, step in
      guard let last = joined.last, case .inferred(let first) = last.work,
        case .inferred(let second) = step.work,
        // Only the last step quarantines duplicates; in the version between, duplicates must refuse the store. So with
        // quarantine the steps stay separate if that version has uniqueness constraints.
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
