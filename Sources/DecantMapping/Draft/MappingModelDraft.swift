public import DecantModel

/// A mapping model as written in the model editor or as text.
///
/// Rules fill in omitted parts.
public struct MappingModelDraft: Sendable, Hashable {
  public var name: String
  public var path: String
  public var sourceVersion: String?
  public var destinationVersion: String?
  public var order: Int?
  public var validation: ValidationMode?
  public var acceptsStaleHashes = false
  /// The treatment of source entities that no entity mapping names.
  public var others: MappingModel.Others?
  /// The file's copies of the models.
  public var sourceModel: ManagedObjectModel?
  public var destinationModel: ManagedObjectModel?
  /// Whether a text's list of entity mappings and its `others` were readable, and all keys of the file are known.
  var isWhole = true
  /// In execution order.
  public var entityMappings: [EntityMappingDraft] = []

  init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}
