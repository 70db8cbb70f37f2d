/// A family whose folder can't be used, and why.
public struct BrokenFamily: Sendable {
  public let name: String
  public let path: String
  /// Everything that is wrong with it; there is something.
  public let faults: [FamilyError]
  /// The family as far as it can be read, by which its stores are known; `nil` where none of its models can be read.
  ///
  /// No store may be migrated by it.
  let models: Family?

  /// Whether its stores can be told from those of other families.
  public var knowsItsStores: Bool { models != nil }

  /// A sentence for each thing that is wrong, without a full stop, as far as somebody reads at once.
  public var sentences: [String] {
    let all = faults.flatMap(\.sentences)
    return all.prefix(Self.shown)
      + (all.count > Self.shown ? ["and \(all.count - Self.shown) more: run “decant check \(path)”"] : [])
  }

  private static let shown = 20
}

/// A family of a catalogue in the state in which it was found.
public enum FamilyState: Sendable {
  case ready(Family)
  case broken(BrokenFamily)

  public var name: String {
    switch self {
    case .ready(let family): family.name
    case .broken(let family): family.name
    }
  }
}
