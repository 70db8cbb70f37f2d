public import DecantMapping
public import Foundation
public import PredicateFormat

/// An entity mapping of the step, for policies (Core Data's NSEntityMapping).
public final class MigrationEntityMapping: NSObject {
  public let mapping: EntityMapping
  /// Its place among the entity mappings of all passes, from 1.
  package let number: Int
  public let attributeMappings: [MigrationPropertyMapping]?
  public let relationshipMappings: [MigrationPropertyMapping]?

  init(_ mapping: EntityMapping, number: Int) {
    self.mapping = mapping
    self.number = number
    attributeMappings = mapping.attributeMappings.map(MigrationPropertyMapping.init)
    relationshipMappings = mapping.relationshipMappings.map(MigrationPropertyMapping.init)
  }

  public var name: String { mapping.name }
  public var mappingType: EntityMappingType { mapping.type }
  public var sourceEntityName: String? { mapping.sourceEntityName }
  public var destinationEntityName: String? { mapping.destinationEntityName }
  public var sourceEntityVersionHash: Data? { mapping.sourceHash.map { Data($0.bytes) } }
  public var destinationEntityVersionHash: Data? { mapping.destinationHash.map { Data($0.bytes) } }
  public var userInfo: [AnyHashable: Any]? { mapping.userInfo }

  /// The class name in the mapping model; `nil` for the base class and for programs.
  public var entityMigrationPolicyClassName: String? {
    if case .className(let name)? = mapping.policy { name } else { nil }
  }
}

/// A property mapping, for policies (Core Data's NSPropertyMapping).
public final class MigrationPropertyMapping: NSObject {
  public let name: String?
  /// `nil` if the property keeps its default.
  public let expression: FormatExpression?

  init(_ row: AttributeMapping) {
    name = row.destinationName
    expression =
      switch row.value {
      case .source(let name), .sourceOrDefault(let name): .source(name)
      case .expression(let expression): expression
      case .defaultValue, .derived, .unset: nil
      }
  }

  init(_ row: RelationshipMapping) {
    name = row.destinationName
    expression =
      switch row.value {
      case .source(let name):
        DestinationLookup(.sourceRelationship(name), of: .source(name)).expression
      case .expression(let expression): expression
      case .unset: nil
      }
  }
}
