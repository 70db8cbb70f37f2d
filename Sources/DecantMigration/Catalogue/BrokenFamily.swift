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
  /// Why models of it can't be read: all where `models` is `nil`, else those of some versions.
  let unread: [String]

  /// Whether stores of some of its versions can be told from those of other families.
  public var knowsItsStores: Bool { models != nil }

  /// Whether stores of each of its versions can.
  public var knowsAllItsStores: Bool { models != nil && unread.isEmpty }

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
