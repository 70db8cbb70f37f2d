/// An entity with its own properties; `ManagedObjectModel` also gives the inherited ones.
public struct Entity: Sendable, Hashable {
  public var name: String
  /// `nil` stands for `NSManagedObject`; readers never give that name or an empty one.
  public var managedObjectClassName: String?
  public var superentityName: String?
  public var isAbstract: Bool
  /// The name in an earlier version; `nil` if the model states none.
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  /// In a model, the elements of a composite attribute can stand in its place (`CompositeElement`).
  public var attributes: [Attribute]
  public var relationships: [Relationship]
  public var fetchedProperties: [FetchedProperty]
  public var fetchIndexes: [FetchIndex]
  /// Every index in Core Data's order, as listed in a store's own model; `nil` for other models.
  ///
  /// In other models, index marks and fetch indexes imply further indexes (docs/formats/core-data-sqlite.md 5.3).
  public var listedIndexes: [FetchIndex]?
  /// The older form of indexes over several properties.
  public var compoundIndexes: [[String]]
  public var uniquenessConstraints: [[String]]
  public var userInfo: [String: String]

  public init(
    name: String, managedObjectClassName: String? = nil, superentityName: String? = nil,
    isAbstract: Bool = false,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil, attributes: [Attribute] = [],
    relationships: [Relationship] = [], fetchedProperties: [FetchedProperty] = [],
    fetchIndexes: [FetchIndex] = [], compoundIndexes: [[String]] = [],
    uniquenessConstraints: [[String]] = [], userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.managedObjectClassName = managedObjectClassName
    self.superentityName = superentityName
    self.isAbstract = isAbstract
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.attributes = attributes
    self.relationships = relationships
    self.fetchedProperties = fetchedProperties
    self.fetchIndexes = fetchIndexes
    self.compoundIndexes = compoundIndexes
    self.uniquenessConstraints = uniquenessConstraints
    self.userInfo = userInfo
  }
}
