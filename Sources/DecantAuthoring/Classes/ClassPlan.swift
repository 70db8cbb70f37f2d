package import DecantModel

/// The managed object classes to write for the versions of models.
///
/// A class has the properties from all versions.
package struct ClassPlan {
  enum Property {
    case attribute(Attribute)
    /// `target` is the class of the objects at the other end.
    case relationship(Relationship, target: String)

    var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .relationship(let relationship, _): relationship.name
      }
    }

    /// The type of the property in words; two properties with equal words have the same type in Swift.
    var words: String {
      switch self {
      case .attribute(let attribute) where attribute.type == .transformable:
        "\(attribute.type.name) of type \(TransformableType.name(of: attribute))"
      case .attribute(let attribute): attribute.type.name
      case .relationship(let relationship, let target):
        (relationship.isToMany ? relationship.isOrdered ? "ordered to-many to " : "to-many to " : "to-one to ")
          + target
      }
    }
  }

  package struct Class {
    package let name: String
    /// The entities of this class, in name order.
    var entities: [String]
    /// The superclass; nil if it is `NSManagedObject`.
    var above: String?
    /// The properties without inherited ones, in name order.
    var properties: [Property]
  }

  private struct Draft {
    var entities: Set<String> = []
    var above: String?
    var properties: [String: Property] = [:]
  }

  static let base = "NSManagedObject"

  /// The classes, in name order.
  package private(set) var classes: [Class] = []
  /// Sentences about classes and properties that can't be written, and about properties whose type had to be chosen.
  package private(set) var remarks: [String] = []
  private var drafts: [String: Draft] = [:]

  /// - Parameter versions: The models with their names. If a property has changed its type, the last version counts.
  package init(_ versions: [(name: String, model: ManagedObjectModel)]) {
    for (name, model) in versions { take(model, name) }
    for (name, draft) in drafts {
      let inherited = inheritedNames(of: draft)
      classes.append(
        Class(
          name: name, entities: draft.entities.sorted(), above: draft.above,
          properties: draft.properties.values.filter { !inherited.contains($0.name) }
            .sorted { NameOrder.codePoints($0.name, $1.name) }))
    }
    classes.sort { NameOrder.codePoints($0.name, $1.name) }
  }

  /// Ends also if the superclasses form a cycle, which no compiler accepts.
  private func inheritedNames(of draft: Draft) -> Set<String> {
    var names: Set<String> = []
    var seen: Set<String> = []
    var above = draft.above
    while let one = above, seen.insert(one).inserted, let next = drafts[one] {
      names.formUnion(next.properties.keys)
      above = next.above
    }
    return names
  }

  private mutating func remark(_ text: String) {
    if !remarks.contains(text) { remarks.append(text) }
  }

  private static func className(of entity: Entity?) -> String? {
    guard let name = entity?.managedObjectClassName.map(SwiftName.withoutModule), name != base,
      SwiftName.isClass(name)
    else { return nil }
    return name
  }

  private mutating func take(_ model: ManagedObjectModel, _ version: String) {
    for entity in model.entities {
      guard let name = Self.className(of: entity) else {
        if let stated = entity.managedObjectClassName, SwiftName.withoutModule(stated) != Self.base {
          remark(
            "Entity “\(entity.name)” is of class “\(stated)”, which can't be a class in Swift; the class is left out."
          )
        }
        continue
      }
      var draft = drafts[name] ?? Draft()
      draft.entities.insert(entity.name)
      let ancestors = model.chain(of: entity.name).dropFirst()
      // The properties of superentities without a class of their own belong to this class.
      let own = [entity] + ancestors.prefix { Self.className(of: $0) == nil }
      let above = ancestors.lazy.compactMap { Self.className(of: $0) }.first
      if draft.above == nil, above != name { draft.above = above }
      for declaring in own { take(declaring, of: model, version, into: &draft, className: name) }
      drafts[name] = draft
    }
  }

  private mutating func take(
    _ entity: Entity, of model: ManagedObjectModel, _ version: String, into draft: inout Draft,
    className: String
  ) {
    let properties =
      entity.attributes.declared.map(Property.attribute)
      + entity.relationships.map { relationship in
        .relationship(
          relationship,
          target: model.entity(named: relationship.destinationEntityName).flatMap { Self.className(of: $0) }
            ?? Self.base)
      }
    for property in properties {
      guard SwiftName.isProperty(property.name) else {
        remark(
          "“\(entity.name).\(property.name)” can't be a property in Swift; use value(forKey: "
            + "\(SwiftName.literal(property.name))).")
        continue
      }
      if let before = draft.properties[property.name], before.words != property.words {
        remark(
          "“\(className).\(property.name)” is \(property.words) in “\(version)” and \(before.words) before. The "
            + "class has \(property.words), the type of “\(version)”; use value(forKey:) for the other type.")
      }
      draft.properties[property.name] = property
    }
  }
}
