internal import DecantMapping
internal import DecantModel

/// Inferred steps between the versions of a family, computed on demand and cached.
final class InferredChains {
  private struct Pair: Hashable {
    let source: Int
    let destination: Int
  }

  private struct Way {
    var path: [Int]
    var drops: Int
  }

  private let versions: [FamilyVersion]
  private let order: VersionOrder
  private let configuration: FamilyConfiguration
  private let history: RenameHistory
  private var mappings: [Pair: Result<InferredMapping, InferenceError>] = [:]
  private var chains: [Pair: [Int]?] = [:]

  init(versions: [FamilyVersion], order: VersionOrder, family: Family) {
    self.versions = versions
    self.order = order
    configuration = family.configuration
    history = family.renameHistory
  }

  func mapping(from source: Int, to destination: Int) throws(InferenceError) -> InferredMapping {
    let pair = Pair(source: source, destination: destination)
    if let known = mappings[pair] { return try known.get() }
    let result = Result { () throws(InferenceError) in
      try InferredMapping.make(
        from: versions[source].model, to: versions[destination].model,
        renames: configuration.renames(to: versions[destination].allNames), history: history)
    }
    mappings[pair] = result
    return try result.get()
  }

  /// The versions of the shortest chain of inferred steps, both ends included; `nil` if there is no chain, or if the
  /// family refuses inference.
  ///
  /// Among equally long chains, the chain that drops the fewest properties is taken, then the first by natural order of
  /// names.
  func chain(from source: Int, to destination: Int) -> [Int]? {
    guard configuration.inference == .allow else { return nil }
    let pair = Pair(source: source, destination: destination)
    if let known = chains[pair] { return known }
    let found = search(from: source, to: destination)
    chains[pair] = .some(found)
    return found
  }

  private func search(from source: Int, to destination: Int) -> [Int]? {
    var open = versions.indices.filter { version in
      version != source && version != destination
        && order.relation(of: version, to: source, from: source, to: destination) != .before
        && order.relation(of: version, to: destination, from: source, to: destination) != .after
    }
    var layer = [Way(path: [source], drops: 0)]
    while !layer.isEmpty {
      if let way = best(extending: layer, to: destination) { return way.path }
      let next = open.compactMap { best(extending: layer, to: $0) }
      let reached = Set(next.compactMap(\.path.last))
      open.removeAll { reached.contains($0) }
      layer = next
    }
    return nil
  }

  private func best(extending layer: [Way], to version: Int) -> Way? {
    var best: Way?
    for way in layer {
      guard let last = way.path.last, let mapping = try? mapping(from: last, to: version) else { continue }
      let candidate = Way(
        path: way.path + [version], drops: way.drops + mapping.droppedProperties(of: versions[last].model))
      if best.map({ isBetter(candidate, than: $0) }) ?? true { best = candidate }
    }
    return best
  }

  private func isBetter(_ left: Way, than right: Way) -> Bool {
    guard left.drops == right.drops else { return left.drops < right.drops }
    for (one, other) in zip(left.path, right.path) where one != other {
      return VersionName.displayOrder(versions[one].name, versions[other].name)
    }
    return false
  }
}

extension InferredMapping {
  fileprivate func droppedProperties(of source: ManagedObjectModel) -> Int {
    drops.reduce(0) { count, drop in
      guard drop.kind == .entity else { return count + 1 }
      return count + source.attributes(of: drop.entity).filter { !$0.isTransient }.count
        + source.relationships(of: drop.entity).filter { !$0.isTransient }.count
    }
  }
}
