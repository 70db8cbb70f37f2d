internal import DecantModel

/// Finds the pair of versions for a compiled mapping model whose hashes fit no pair.
///
/// Such a file doesn't name its versions. A pair of versions must have all entities that the file names. Among several
/// pairs, the pair with the most equal hashes is taken, then the pair with the most entities that have exactly the
/// listed properties.
struct StaleHashMatch {
  struct Pair {
    let source: Int
    let destination: Int
  }

  /// An entity whose hash in the file (`there`) isn't its hash in the version (`here`).
  private struct Difference {
    let side: String
    let entity: String
    let there: VersionHash
    let here: VersionHash?
  }

  private struct Candidate {
    let version: FamilyVersion
    let equal: Int
    let exact: Int
  }

  /// The best pair; `nil` if there is none, if several are equally good, or if no hash is equal.
  let pair: Pair?
  private let best: [Pair]
  private let source: EntityVersionHashes
  private let destination: EntityVersionHashes

  /// - Parameter listed: The properties that the file maps, by destination entity.
  init(
    _ source: EntityVersionHashes, _ destination: EntityVersionHashes, listed: [String: Set<String>],
    in versions: [FamilyVersion]
  ) {
    self.source = source
    self.destination = destination
    let from = Self.candidates(source, listed: [:], versions)
    let to = Self.candidates(destination, listed: listed, versions)
    var best: [Pair] = []
    var score = (equal: -1, exact: -1)
    for one in from {
      for other in to where other.version.index != one.version.index {
        let own = (equal: one.equal + other.equal, exact: other.exact)
        if own > score { (best, score) = ([], own) }
        if own == score { best.append(Pair(source: one.version.index, destination: other.version.index)) }
      }
    }
    self.best = best
    // The entities' names alone are not enough evidence.
    pair = best.count == 1 && score.equal > 0 ? best[0] : nil
  }

  private static func candidates(
    _ hashes: EntityVersionHashes, listed: [String: Set<String>], _ versions: [FamilyVersion]
  ) -> [Candidate] {
    versions.compactMap { version in
      guard hashes.keys.allSatisfy({ version.hashes[$0] != nil }) else { return nil }
      let names = { version.model.storedPropertyNames(of: $0) }
      return Candidate(
        version: version, equal: hashes.count { version.hashes[$0.key] == $0.value },
        exact: listed.count { names($0.key) == $0.value })
    }
  }

  /// The differences from the nearest pair, with advice, as the rest of a sentence.
  func words(in versions: [FamilyVersion], file: String) -> String {
    let byText = "write it as text with “decant mapping”, which names its versions"
    guard let pair else {
      guard best.count > 1 else { return best.isEmpty ? "" : "; \(byText)" }
      let names = best.prefix(3).map { "“\(versions[$0.source].name)” to “\(versions[$0.destination].name)”" }
      return ", and by its entities it may be for \(names.joined(separator: ", ")); \(byText)"
    }
    let (from, to) = (versions[pair.source], versions[pair.destination])
    let differences =
      self.differences("source", source, from) + self.differences("destination", destination, to)
    let shown = differences.prefix(20).map { difference in
      "\(difference.side) entity “\(difference.entity)” (\(difference.there.hexadecimal) in the file, "
        + "\(difference.here?.hexadecimal ?? "none") in the model)"
    }
    let rest = differences.count > 20 ? " and \(differences.count - 20) more" : ""
    return
      "; the nearest is “\(from.name)” to “\(to.name)”, where these differ: \(shown.joined(separator: ", "))\(rest). "
      + "If that doesn't matter, write acceptStaleHashes: [\"\(file)\"] in family.json5"
  }

  private func differences(
    _ side: String, _ hashes: EntityVersionHashes, _ version: FamilyVersion
  ) -> [Difference] {
    hashes.sorted { NameOrder.codePoints($0.key, $1.key) }.compactMap { entity, hash in
      let here = version.hashes[entity]
      return here == hash ? nil : Difference(side: side, entity: entity, there: hash, here: here)
    }
  }
}
