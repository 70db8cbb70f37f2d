// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
// “entity” has the type that it has in Core Data, so that code of apps compiles as it is. Here it can be nil.

package import DecantModel
public import Foundation

/// A property of an entity, for policies and programs (Core Data's NSPropertyDescription).
open class PropertyDescription: NSObject, NSCopying {
  public final var name: String {
    didSet {
      guard name != oldValue else { return }
      wasRenamed(from: oldValue)
      owner?.entity?.refreshProperties()
      changed()
    }
  }
  /// As in Core Data, the default for a property that is made in code is true.
  public final var isOptional: Bool { didSet { changed() } }
  public final var isTransient: Bool { didSet { changed() } }
  /// Whether the property's column has an index of its own, as older models state it.
  public final var isIndexed: Bool { didSet { changed() } }
  public final var renamingIdentifier: String? { didSet { changed() } }
  public final var versionHashModifier: String? { didSet { changed() } }
  public final var userInfo: [AnyHashable: Any]? { didSet { changed() } }
  /// Predicates with the value as `SELF`, and their warnings.
  package final var rules: [ValidationPredicate] { didSet { changed() } }
  /// The entity that declares the property; `nil` for a property of no entity.
  final var owner: EntityReference?

  init(
    name: String = "", isOptional: Bool = true, isTransient: Bool = false, isIndexed: Bool = false,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil, userInfo: [String: String] = [:],
    rules: [ValidationPredicate] = []
  ) {
    self.name = name
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.isIndexed = isIndexed
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.rules = rules
  }

  init(copying other: PropertyDescription) {
    name = other.name
    isOptional = other.isOptional
    isTransient = other.isTransient
    isIndexed = other.isIndexed
    renamingIdentifier = other.renamingIdentifier
    versionHashModifier = other.versionHashModifier
    userInfo = other.userInfo
    rules = other.rules
  }

  /// The entity that declares the property; nil for a property of no entity.
  public final var entity: EntityDescription! { owner?.entity }

  /// The property's part of its entity's hash; empty for a property that is neither attribute nor relationship.
  open var versionHash: Data { Data() }

  /// A copy that belongs to no entity.
  public final func copy(with zone: NSZone?) -> Any { duplicate() }

  func duplicate() -> PropertyDescription { PropertyDescription(copying: self) }

  func wasRenamed(from former: String) {}

  final func changed() { owner?.entity?.changed() }

  /// The entries of a user info whose key and value are texts; a model has no other entries.
  static func texts(of userInfo: [AnyHashable: Any]?) -> [String: String] {
    var texts: [String: String] = [:]
    for (key, value) in userInfo ?? [:] {
      if let key = key as? String, let value = value as? String { texts[key] = value }
    }
    return texts
  }
}
