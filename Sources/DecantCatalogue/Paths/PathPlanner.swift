internal import DecantMapping
internal import DecantModel

struct PathPlanner {
  private let family: Family
  private let source: Int
  private let destination: Int
  private let versions: [FamilyVersion]
  private let order: VersionOrder
  private let chains: InferredChains
  private let paths: MappingPaths

  init(from source: FamilyVersion, to destination: FamilyVersion, in family: Family) {
    self.family = family
    self.source = source.index
    self.destination = destination.index
    // The ends keep the names that the caller used. Models of one version with other names may have other indexes and
    // defaults.
    versions = family.versions.map {
      $0.index == destination.index ? destination : $0.index == source.index ? source : $0
    }
    order = VersionOrder(of: family, versions: versions)
    chains = InferredChains(versions: versions, order: order, family: family)
    let edges = Set(
      family.mappingModels.map { MappingPaths.Edge(source: $0.source, destination: $0.destination) })
    paths = MappingPaths(
      edges: edges.sorted { ($0.source, $0.destination) < ($1.source, $1.destination) }, order: order,
      chains: chains)
  }

  func steps() throws(PlanError) -> [PathPlan.Step] {
    guard source != destination else { return [] }
    let legs: [MappingPaths.Leg]
    if versions[source].origin.nearest != nil {
      // The place of this version isn't known, so no mapping model or stated path can be chosen for it.
      legs = [.inferred(source: source, destination: destination)]
    } else {
      legs = family.configuration.path.isEmpty ? try freeLegs(from: source, to: destination) : try statedLegs()
    }
    var steps: [PathPlan.Step] = []
    for leg in legs { steps += try self.steps(of: leg) }
    return steps
  }

  var warnings: [String] {
    guard order.relation(of: destination, to: source) == .before else { return [] }
    let models = order.mappingModels(from: destination, to: source, in: family).map { "“\($0.file.name)”" }
    return [
      "The destination “\(versions[destination].name)” seems to be older than the store's version "
        + "“\(versions[source].name)”"
        + (models.isEmpty
          ? "; if that isn't meant, set “target” in family.json5."
          : ", because mapping models lead from the destination to the store's version: "
            + "\(models.joined(separator: ", ")). If a mapping model is meant for the other "
            + "direction, exchange its “source” and “destination”.")
    ]
  }

  private func steps(of leg: MappingPaths.Leg) throws(PlanError) -> [PathPlan.Step] {
    switch leg {
    case .mappingModels(let source, let destination):
      return [
        PathPlan.Step(
          source: versions[source], destination: versions[destination],
          work: .mappingModels(family.mappingModels(from: source, to: destination)))
      ]
    case .inferred(let source, let destination):
      guard let chain = chains.chain(from: source, to: destination) else {
        throw refusal(from: source, to: destination)
      }
      var steps: [PathPlan.Step] = []
      for (from, to) in zip(chain, chain.dropFirst()) {
        do {
          let mapping = try chains.mapping(from: from, to: to)
          steps.append(
            PathPlan.Step(source: versions[from], destination: versions[to], work: .inferred(mapping)))
        } catch {
          throw notInferable(from: from, to: to, error)
        }
      }
      return steps
    }
  }

  // MARK: Without a stated path

  /// The only path between two versions, by the rule that inference bypasses no mapping model.
  private func freeLegs(from source: Int, to destination: Int) throws(PlanError) -> [MappingPaths.Leg] {
    let (from, to) = (versions[source].name, versions[destination].name)
    let certain = paths.ways(from: source, to: destination, scope: .certain)
    if certain.count == 1, !paths.isExhausted { return try bypassingNothing(certain[0], from: source) }
    let possible = certain.isEmpty ? paths.ways(from: source, to: destination, scope: .possible) : certain
    if paths.isExhausted { throw .tooManyWays(source: from, destination: to) }
    let isInferable = chains.chain(from: source, to: destination) != nil
    if possible.isEmpty {
      guard isInferable else { throw refusal(from: source, to: destination) }
      return [.inferred(source: source, destination: destination)]
    }
    if certain.isEmpty, isInferable {
      throw .directionUnknown(source: from, destination: to, mappingModels: mappingModels(on: possible))
    }
    guard possible.count == 1 else {
      throw .severalPaths(source: from, destination: to, paths: possible.map { names(of: $0, from: source) })
    }
    return try bypassingNothing(possible[0], from: source)
  }

  /// Checks that no mapping model might lie between the two ends of an inferred leg.
  private func bypassingNothing(
    _ way: [MappingPaths.Leg], from source: Int
  ) throws(PlanError) -> [MappingPaths.Leg] {
    for case .inferred(let from, let to) in way {
      let others = paths.ways(from: from, to: to, scope: .possible)
      if paths.isExhausted {
        throw .tooManyWays(source: versions[source].name, destination: versions[to].name)
      }
      guard others.isEmpty else {
        throw .directionUnknown(
          source: versions[from].name, destination: versions[to].name, mappingModels: mappingModels(on: others))
      }
    }
    return way
  }

  private func refusal(from source: Int, to destination: Int) -> PlanError {
    let (from, to) = (versions[source].name, versions[destination].name)
    guard family.configuration.inference == .allow else {
      return .inferenceRefused(source: from, destination: to)
    }
    do {
      _ = try chains.mapping(from: source, to: destination)
      return .inferenceRefused(source: from, destination: to)
    } catch {
      return notInferable(from: source, to: destination, error)
    }
  }

  private func notInferable(from source: Int, to destination: Int, _ error: InferenceError) -> PlanError {
    .notInferable(
      source: versions[source].name, destination: versions[destination].name, error,
      backwards: family.mappingModels(from: destination, to: source).map(\.file.name))
  }

  private func names(of way: [MappingPaths.Leg], from source: Int) -> [String] {
    var path = [source]
    for leg in way {
      if case .inferred(let from, let to) = leg, let chain = chains.chain(from: from, to: to) {
        path += chain.dropFirst()
      } else {
        path.append(leg.destination)
      }
    }
    return path.map { versions[$0].name }
  }

  private func mappingModels(on ways: [[MappingPaths.Leg]]) -> [String] {
    var names: [String] = []
    for case .mappingModels(let source, let destination) in ways.joined() {
      names += family.mappingModels(from: source, to: destination).map(\.file.name)
    }
    return Set(names).sorted(by: VersionName.displayOrder)
  }

  // MARK: Along a stated path

  /// The path that `family.json5` states.
  ///
  /// `freeLegs` finds the way from the source to the stated path, and the way from the last used version of the stated
  /// path to the destination.
  private func statedLegs() throws(PlanError) -> [MappingPaths.Leg] {
    let hops = family.configuration.path.compactMap { hop -> (Int, Int)? in
      guard let from = family.version(named: hop.source), let to = family.version(named: hop.destination) else {
        return nil
      }
      return (from.index, to.index)
    }
    let next = Dictionary(hops) { first, _ in first }
    var legs: [MappingPaths.Leg] = []
    var version = source
    if next[version] == nil, let (start, approach) = approach(to: hops.map(\.0), next) {
      legs = approach
      version = start
    }
    var visited: Set<Int> = [version]
    while version != destination, let to = next[version], visited.insert(to).inserted,
      order.relation(of: to, to: destination) != .after
    {
      legs.append(
        family.mappingModels(from: version, to: to).isEmpty
          ? .inferred(source: version, destination: to) : .mappingModels(source: version, destination: to))
      version = to
    }
    return version == destination ? legs : legs + (try freeLegs(from: version, to: destination))
  }

  /// The version at which the stated path is entered, and the way from the source to this version.
  private func approach(to starts: [Int], _ next: [Int: Int]) -> (Int, [MappingPaths.Leg])? {
    for start in starts where order.relation(of: start, to: source) != .before && leads(start, next) {
      if let legs = try? freeLegs(from: source, to: start) { return (start, legs) }
    }
    return nil
  }

  private func leads(_ start: Int, _ next: [Int: Int]) -> Bool {
    var visited: Set<Int> = [start]
    var version = start
    while version != destination {
      guard let to = next[version], visited.insert(to).inserted else { return false }
      version = to
    }
    return true
  }
}
