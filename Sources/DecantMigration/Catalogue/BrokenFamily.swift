/// A family whose folder can't be used, and why.
public struct BrokenFamily: Sendable, Hashable {
  public let name: String
  public let path: String
  public let error: FamilyError
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
