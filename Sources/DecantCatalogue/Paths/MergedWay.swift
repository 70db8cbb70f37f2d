internal import DecantMapping
internal import DecantModel
internal import FileNames

/// The path of a store of several merged models: one inferred step, or at most as many steps as the longest path of a
/// single model.
///
/// Each model's path is planned separately. A path through mapping models is refused, because a mapping model is for
/// one model alone and can't run on a store that contains other models.
struct MergedWay {
  private let family: Family
  private let source: FamilyVersion
  private let destination: FamilyVersion

  init(from source: FamilyVersion, to destination: FamilyVersion, in family: Family) {
    self.family = family
    self.source = source
    self.destination = destination
  }

  func plan() throws(PlanError) -> PathPlan {
    let parts = family.parts(of: source)
    var ways: [[FamilyVersion]] = []
    var warnings: [String] = []
    var mappingModels: [FamilyMappingModel] = []
    var failure: PlanError?
    let ends = family.parts(of: destination)
    for part in parts {
      guard let end = ends.first(where: { FileName($0.bundle) == FileName(part.bundle) }) else { continue }
      do {
        let own = try PathPlan.make(
          from: part, to: end, in: family.concerning(bundle: part.bundle), joiningSteps: false)
        let way = [part] + own.steps.map(\.destination)
        guard way.allSatisfy({ $0.of(bundle: part.bundle) != nil }) else {
          // A step to a version of another bundle would lose all values of this bundle's model. So one step is planned.
          ways.append([part, end])
          continue
        }
        ways.append(way)
        warnings += own.warnings
        for case .mappingModels(let models) in own.steps.map(\.work) { mappingModels += models }
      } catch {
        failure = error
      }
    }
    // A step may be inferable for all models together but not for one of them, and the reverse. So `notInferable` of
    // one model doesn't refuse the store yet.
    if let failure {
      guard case .notInferable = failure else { throw failure }
    }
    guard mappingModels.isEmpty else {
      throw .mergedMappingModels(
        source: source.name, destination: destination.name, mappingModels: mappingModels.map(\.file.path))
    }
    do {
      return PathPlan(
        source: source, destination: destination, steps: [try step(from: source, to: destination)],
        warnings: warnings)
    } catch {
      guard failure == nil, ways.contains(where: { $0.count > 2 }) else { throw error }
      return PathPlan(
        source: source, destination: destination, steps: try steps(along: ways), warnings: warnings)
    }
  }

  private func step(from: FamilyVersion, to: FamilyVersion) throws(PlanError) -> PathPlan.Step {
    guard family.configuration.inference == .allow else {
      throw .inferenceRefused(source: from.name, destination: to.name)
    }
    do {
      let mapping = try InferredMapping.make(
        from: from.model, to: to.model, renames: family.renames(to: to), history: family.renameHistory)
      return PathPlan.Step(source: from, destination: to, work: .inferred(mapping))
    } catch {
      throw .notInferable(source: from.name, destination: to.name, error)
    }
  }

  /// All models advance together, each to the end of its own path.
  private func steps(along ways: [[FamilyVersion]]) throws(PlanError) -> [PathPlan.Step] {
    var family = family
    var steps: [PathPlan.Step] = []
    var version = source
    for place in 1..<(ways.map(\.count).max() ?? 1) {
      let next: FamilyVersion
      do {
        next = try family.merge(ways.compactMap { $0.indices.contains(place) ? $0[place] : $0.last })
      } catch {
        throw .notMergeable(source: source.name, destination: destination.name, error)
      }
      guard next.index != version.index else { continue }
      steps.append(try step(from: version, to: next))
      version = next
    }
    return steps
  }
}

extension Family {
  fileprivate func concerning(bundle: String) -> Family {
    var family = self
    family.mappingModels.removeAll { model in
      [model.source, model.destination].allSatisfy { versions[$0].of(bundle: bundle) == nil }
    }
    return family
  }
}
