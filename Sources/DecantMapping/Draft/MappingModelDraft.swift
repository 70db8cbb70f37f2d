public import DecantModel

/// A mapping model as somebody wrote it, in the model editor or as text: what it leaves out, rules fill in.
public struct MappingModelDraft: Sendable, Hashable {
  public var name: String
  public var path: String
  public var sourceVersion: String?
  public var destinationVersion: String?
  public var order: Int?
  public var validation: ValidationMode?
  public var acceptsStaleHashes = false
  /// What becomes of source entities that no entity mapping names.
  public var others: MappingModel.Others?
  /// The copies of the models that the file keeps.
  public var sourceModel: ManagedObjectModel?
  public var destinationModel: ManagedObjectModel?
  /// Whether the list of entity mappings of a text could be read.
  var isWhole = true
  /// In the order in which they run.
  public var entityMappings: [EntityMappingDraft] = []

  init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}
