/// A named subset of a model's entities (docs/formats/model-files.md 2.7).
///
/// The default configuration has all entities; it has no name and no value of this type.
public struct ModelConfiguration: Sendable, Hashable {
  public var name: String
  public var entityNames: [String]

  public init(name: String, entityNames: [String]) {
    self.name = name
    self.entityNames = entityNames
  }
}
