/// A named subset of a model's entities (docs/formats/model-files.md 2.7).
///
/// The default configuration, which holds them all, has no name and no value.
public struct ModelConfiguration: Sendable, Hashable {
  public var name: String
  public var entityNames: [String]

  public init(name: String, entityNames: [String]) {
    self.name = name
    self.entityNames = entityNames
  }
}
