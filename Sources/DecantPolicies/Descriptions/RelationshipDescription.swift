public import DecantModel
public import Foundation

/// A relationship of an entity, for policies and programs (Core Data's NSRelationshipDescription).
public final class RelationshipDescription: PropertyDescription {
  /// The relationship's facts.
  ///
  /// The name of the destination in this value is used only while `destination` is nil. The name of the inverse is used
  /// only while `heldInverse` is nil.
  private var facts: Relationship
  private var destination: EntityReference?
  private weak var heldInverse: RelationshipDescription?

  /// Makes an optional to-many relationship without a name and without a destination.
  public convenience init() {
    self.init(Relationship(name: "", destinationEntityName: "", isOptional: true, maximumCount: 0))
  }

  init(_ relationship: Relationship) {
    facts = relationship
    super.init(
      name: relationship.name, isOptional: relationship.isOptional, isTransient: relationship.isTransient,
      isIndexed: relationship.isIndexed, renamingIdentifier: relationship.renamingIdentifier,
      versionHashModifier: relationship.versionHashModifier, userInfo: relationship.userInfo,
      rules: relationship.validationPredicates)
  }

  private init(copying other: RelationshipDescription) {
    facts = other.relationship
    destination = other.destination
    super.init(copying: other)
  }

  override func duplicate() -> PropertyDescription { RelationshipDescription(copying: self) }

  // MARK: Ends

  public var destinationEntity: EntityDescription? {
    get { destination?.entity }
    set {
      destination = newValue?.place
      facts.destinationEntityName = newValue?.entity.name ?? ""
      changed()
    }
  }

  /// The inverse relationship; a program has to set it at both ends.
  public var inverseRelationship: RelationshipDescription? {
    get {
      heldInverse
        ?? facts.inverseName.flatMap { destinationEntity?.propertiesByName[$0] as? RelationshipDescription }
    }
    set {
      heldInverse = newValue
      facts.inverseName = newValue?.name
      changed()
    }
  }

  override func wasRenamed(from former: String) {
    // In a model that was read, each end has the name of its inverse.
    if let inverse = inverseRelationship, inverse.facts.inverseName == former {
      inverse.facts.inverseName = name
    }
  }

  /// Finds destination and inverse by their names, unless the destination already belongs to the model.
  func bind(_ entities: [String: EntityDescription]) {
    let current = relationship
    if let target = destination?.entity, entities[current.destinationEntityName] === target { return }
    guard let target = entities[current.destinationEntityName] else { return }
    facts = current
    heldInverse = nil
    destination = target.place
  }

  // MARK: Settings

  public var isToMany: Bool { facts.isToMany }

  public var isOrdered: Bool {
    get { facts.isOrdered }
    set { set(\.isOrdered, newValue) }
  }

  public var minCount: Int {
    get { facts.minimumCount }
    set { set(\.minimumCount, newValue) }
  }

  /// The largest number of targets: 1 for a to-one relationship, 0 for a to-many relationship without a limit.
  public var maxCount: Int {
    get { facts.maximumCount }
    set { set(\.maximumCount, newValue) }
  }

  public var deleteRule: DeleteRule {
    get { facts.deleteRule }
    set { set(\.deleteRule, newValue) }
  }

  private func set<Value>(_ path: WritableKeyPath<Relationship, Value>, _ value: Value) {
    facts[keyPath: path] = value
    changed()
  }

  /// The relationship with everything that the program has set.
  public var relationship: Relationship {
    var value = facts
    value.name = name
    value.isOptional = isOptional
    value.isTransient = isTransient
    value.isIndexed = isIndexed
    value.renamingIdentifier = renamingIdentifier
    value.versionHashModifier = versionHashModifier
    value.userInfo = Self.texts(of: userInfo)
    value.validationPredicates = rules
    if let entity = destination?.entity { value.destinationEntityName = entity.entity.name }
    if let heldInverse { value.inverseName = heldInverse.name }
    return value
  }

  public override var versionHash: Data { relationship.versionHash.data }
}
