/// The place of an attribute within a composite attribute.
///
/// Unless one of them is composite, too, a model has the elements of a composite attribute as separate attributes,
/// named `author.id`. Each has its own column, value, rules and renaming identifier; the composite itself is not stored
/// (docs/formats/core-data-sqlite.md 2.4).
public struct CompositeElement: Sendable, Hashable {
  /// The element's name within the composite.
  public let name: String
  /// A list with one member, because a value can't contain itself.
  private let whole: [Attribute]

  /// The composite attribute as the model declares it.
  public var composite: Attribute { whole[0] }

  init(_ name: String, of composite: Attribute) {
    self.name = name
    whole = [composite]
  }
}

extension Attribute {
  /// The attributes that replace this one in a model: the elements of a composite attribute, each named
  /// `composite.element`.
  ///
  /// Any other attribute stays as it is, and so does a composite without elements. A composite that contains a
  /// composite also stays, because its storage isn't known.
  var withElements: [Attribute] {
    guard type == .composite, !elements.isEmpty, elements.allSatisfy({ $0.type != .composite }) else {
      return [self]
    }
    return elements.map { element in
      var attribute = element
      attribute.name = "\(name).\(element.name)"
      // A nil composite has nil elements.
      attribute.isOptional = isOptional || element.isOptional
      attribute.isTransient = isTransient || element.isTransient
      if renamingIdentifier != nil || element.renamingIdentifier != nil {
        attribute.renamingIdentifier =
          "\(renamingIdentifier ?? name).\(element.renamingIdentifier ?? element.name)"
      }
      attribute.element = CompositeElement(element.name, of: self)
      return attribute
    }
  }
}

extension [Attribute] {
  /// The attributes as declared, with whole composite ones, in name order (code points).
  public var declared: [Attribute] {
    guard contains(where: { $0.element != nil }) else { return self }
    var seen: Set<String> = []
    return compactMap { attribute in
      guard let element = attribute.element else { return attribute }
      return seen.insert(element.composite.name).inserted ? element.composite : nil
    }.sorted { NameOrder.codePoints($0.name, $1.name) }
  }
}

extension ManagedObjectModel {
  /// The elements of a composite attribute, own or inherited, in the composite's order; empty for other attributes.
  public func elements(ofComposite name: String, of entity: String) -> [Attribute] {
    let elements = attributes(of: entity).filter { $0.element?.composite.name == name }
    guard let order = elements.first?.element?.composite.elements.map(\.name) else { return [] }
    return order.compactMap { name in elements.first { $0.element?.name == name } }
  }

  /// The names of an entity's attributes and relationships, own and inherited, as declared.
  public func propertyNames(of entity: String) -> [String] {
    attributes(of: entity).declared.map(\.name) + relationships(of: entity).map(\.name)
  }
}
