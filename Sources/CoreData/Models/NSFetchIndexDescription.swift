internal import DecantModel
public import DecantPolicies
public import Foundation

/// The kind of an index.
public enum NSFetchIndexElementType: UInt, Sendable {
  case binary = 0
  case rTree = 1
}

/// One part of an index of an entity.
public final class NSFetchIndexElementDescription: NSObject {
  /// nil if the element is an expression, or if the entity has no property of that name.
  public let property: PropertyDescription?
  /// The property's name, or the expression's text.
  public let propertyName: String?
  public var collationType: NSFetchIndexElementType
  public var isAscending = true

  public init(property: PropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    propertyName = property.name
    self.collationType = collationType
  }

  init(_ element: FetchIndex.Element, of entity: EntityDescription) {
    property = entity.propertiesByName[element.property]
    propertyName = element.property
    collationType = element.kind == .rTree ? .rTree : .binary
    isAscending = element.isAscending
  }

  var value: FetchIndex.Element {
    FetchIndex.Element(
      property: property?.name ?? propertyName ?? "", kind: collationType == .rTree ? .rTree : .binary,
      isAscending: isAscending)
  }
}

/// A named index of an entity.
public final class NSFetchIndexDescription: NSObject {
  public var name: String
  public var elements: [NSFetchIndexElementDescription]
  /// The predicate that rows in the index satisfy; nil for all rows.
  public var partialIndexPredicate: NSPredicate?

  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
  }

  init(_ index: FetchIndex, of entity: EntityDescription) {
    name = index.name
    elements = index.elements.map { NSFetchIndexElementDescription($0, of: entity) }
    partialIndexPredicate = index.partialIndexPredicate.map { NSPredicate(format: $0, argumentArray: nil) }
  }

  var value: FetchIndex {
    FetchIndex(
      name: name, elements: elements.map(\.value),
      partialIndexPredicate: partialIndexPredicate.map { RuleText.of($0) })
  }
}

extension EntityDescription {
  /// The named indexes.
  ///
  /// The setter copies them, so later changes of a description have no effect.
  public var indexes: [NSFetchIndexDescription] {
    get { fetchIndexes.map { NSFetchIndexDescription($0, of: self) } }
    set { fetchIndexes = newValue.map(\.value) }
  }
}
