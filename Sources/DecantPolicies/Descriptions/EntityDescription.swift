// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
// “managedObjectClassName” has the type that it has in Core Data, and “managedObjectModel” can't be nil there, so that
// code of apps compiles as it is.

public import DecantModel
public import Foundation

/// An entity of a model, for policies and programs (Core Data's NSEntityDescription).
///
/// A program can make and change entities. A migration uses the model as it is when the migration begins.
open class EntityDescription: NSObject, NSCopying {
  /// The entity as a value.
  ///
  /// If a program has changed the properties, those in this value are out of date.
  ///
  /// Policies read the entity's name for each object, so exclusivity isn't checked. Only this module sets the value.
  @exclusivity(unchecked) public internal(set) final var entity: Entity
  /// Own and inherited properties.
  @exclusivity(unchecked) public internal(set) final var propertiesByName: [String: PropertyDescription] = [:]
  /// The name of the topmost ancestor; the entity's own name if it has no parent.
  @exclusivity(unchecked) package internal(set) final var root: String
  final var declared: [PropertyDescription] = []
  final var children: [EntityDescription] = []
  final var parent: EntityReference?
  final var home: ModelReference
  final let place = EntityReference()
  /// The errors of settings that no model can have, by the name of the setting.
  final var problems: [String: ModelError] = [:]
  /// The version hash within the model, up to date after the model's `settle()`.
  final var heldHash: VersionHash?
  public final var userInfo: [AnyHashable: Any]? { didSet { changed() } }

  /// - Parameters:
  ///   - model: The entity's model; `nil` for an entity of no model.
  ///   - home: The reference to the model's description.
  package init(
    _ entity: Entity, versionHash: VersionHash?, in model: ManagedObjectModel?,
    home: ModelReference = ModelReference()
  ) {
    self.entity = entity
    self.home = home
    root = model?.root(of: entity.name)?.name ?? entity.name
    heldHash = versionHash
    userInfo = entity.userInfo
    super.init()
    place.entity = self
  }

  /// Makes an entity without a name, of no model.
  public override convenience init() { self.init(Entity(name: ""), versionHash: nil, in: nil) }

  /// An entity of no model, with which code can run to its end after an error.
  static func ofNoModel(_ name: String) -> EntityDescription {
    EntityDescription(Entity(name: name), versionHash: nil, in: nil)
  }

  deinit { place.entity = nil }

  /// A copy without a model and without subentities.
  ///
  /// When the copy is put into a model, destinations of relationships and the parent are found by their names.
  public func copy(with zone: NSZone?) -> Any { duplicate() }

  func duplicate() -> EntityDescription {
    let copy = EntityDescription(entity, versionHash: nil, in: nil)
    copy.entity.superentityName = superentityName
    copy.userInfo = userInfo
    copy.problems = problems
    copy.properties = declared.map { $0.duplicate() }
    return copy
  }

  // MARK: Facts

  public var name: String? {
    get { entity.name }
    set {
      entity.name = newValue ?? ""
      root = superentity?.root ?? entity.name
      home.model?.nameEntities()
      changed()
    }
  }

  /// The entity's model; nil for an entity of no model.
  public var managedObjectModel: ModelDescription! { home.model }

  public var managedObjectClassName: String! {
    get { entity.managedObjectClassName ?? "NSManagedObject" }
    set {
      let isBase = newValue.map { Self.baseNames.contains($0) } ?? true
      entity.managedObjectClassName = isBase ? nil : newValue
      changed()
    }
  }

  /// The names that stand for the base class; `NSStringFromClass` gives the last one.
  private static let baseNames: Set = ["", "NSManagedObject", "DecantPolicies.ManagedObject"]

  public var isAbstract: Bool {
    get { entity.isAbstract }
    set {
      entity.isAbstract = newValue
      changed()
    }
  }

  public var renamingIdentifier: String? {
    get { entity.renamingIdentifier }
    set {
      entity.renamingIdentifier = newValue
      changed()
    }
  }

  public var versionHashModifier: String? {
    get { entity.versionHashModifier }
    set {
      entity.versionHashModifier = newValue
      changed()
    }
  }

  /// Names of properties of the entity and its ancestors; the setter also takes descriptions of properties.
  public var uniquenessConstraints: [[Any]] {
    get { entity.uniquenessConstraints }
    set { setLists(newValue, "uniquenessConstraints") { entity.uniquenessConstraints = $0 } }
  }

  /// The older form of indexes over several properties.
  public var compoundIndexes: [[Any]] {
    get { entity.compoundIndexes }
    set { setLists(newValue, "compoundIndexes") { entity.compoundIndexes = $0 } }
  }

  /// The named indexes.
  ///
  /// The setter removes `listedIndexes`, the list of all indexes in a model that was read from a store.
  package var fetchIndexes: [FetchIndex] {
    get { entity.fetchIndexes }
    set {
      entity.fetchIndexes = newValue
      entity.listedIndexes = nil
      changed()
    }
  }

  private func setLists(_ lists: [[Any]], _ key: String, _ take: ([[String]]) -> Void) {
    take(lists.map { $0.compactMap { ($0 as? PropertyDescription)?.name ?? $0 as? String } })
    let stray = lists.joined().first { !($0 is PropertyDescription || $0 is String) }
    problems[key] = stray.map {
      .badValue(
        element: "entity “\(entity.name)”", attribute: key, value: "\($0)",
        expected: "a list of names of properties")
    }
    changed()
  }

  /// The hash by which Core Data recognises this version of the entity (docs/formats/version-hash.md 2).
  ///
  /// If the entity has no model, or the entities of its model don't form one, the hash is that in a small model. This
  /// model has the entity and all entities that can be reached from it through parents and relationships. The hash is
  /// empty if these entities can't form a model.
  public var versionHash: Data {
    home.model?.settle()
    return (heldHash ?? hashAlone())?.data ?? Data()
  }

  final func changed() {
    heldHash = nil
    home.model?.changed()
  }

  /// Entities with equal names and version hashes are equal, also those of two models.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EntityDescription else { return false }
    return self === other || (entity.name == other.entity.name && versionHash == other.versionHash)
  }

  open override var hash: Int { versionHash.hashValue }
}
