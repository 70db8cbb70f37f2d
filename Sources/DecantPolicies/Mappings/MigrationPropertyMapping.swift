internal import DecantMapping
public import Foundation
public import PredicateFormat

/// A property mapping, for policies and programs (Core Data's NSPropertyMapping).
public final class MigrationPropertyMapping: NSObject, NSCopying {
  private enum Row {
    case attribute(AttributeMapping.Value)
    case relationship(RelationshipMapping.Value)
  }

  /// The name of the destination property.
  public var name: String?
  public var userInfo: [AnyHashable: Any]?
  /// The expression of the property's value; `nil` if the property keeps its default, is computed, or stays empty.
  public var expression: FormatExpression? {
    didSet {
      row = nil
      problem = nil
    }
  }
  /// The value that was read or inferred; `nil` after the program has set an expression.
  private var row: Row?
  /// The reason why the expression that was set can't be used.
  private var problem: PolicyProblem?

  public override init() {}

  init(_ mapping: AttributeMapping) {
    name = mapping.destinationName
    row = .attribute(mapping.value)
    expression =
      switch mapping.value {
      case .source(let name), .sourceOrDefault(let name): .source(name)
      case .expression(let expression): expression
      case .defaultValue, .derived, .unset: nil
      }
  }

  init(_ mapping: RelationshipMapping) {
    name = mapping.destinationName
    row = .relationship(mapping.value)
    expression =
      switch mapping.value {
      case .source(let name):
        DestinationLookup(.sourceRelationship(name), of: .source(name)).expression
      case .expression(let expression): expression
      case .unset: nil
      }
  }

  init(copying other: MigrationPropertyMapping) {
    name = other.name
    userInfo = other.userInfo
    expression = other.expression
    row = other.row
    problem = other.problem
  }

  /// Notes that an unusable expression was set; a migration with the mapping then fails for this reason.
  package func refuse(_ problem: PolicyProblem) {
    expression = nil
    self.problem = problem
  }

  func attributeMapping() throws(PolicyProblem) -> AttributeMapping {
    let name = try usableName()
    if case .attribute(let value)? = row { return AttributeMapping(destinationName: name, value: value) }
    return AttributeMapping(destinationName: name, value: expression.map { .expression($0) } ?? .unset)
  }

  func relationshipMapping() throws(PolicyProblem) -> RelationshipMapping {
    let name = try usableName()
    if case .relationship(let value)? = row { return RelationshipMapping(destinationName: name, value: value) }
    return RelationshipMapping(destinationName: name, value: expression.map { .expression($0) } ?? .unset)
  }

  private func usableName() throws(PolicyProblem) -> String {
    if let problem { throw problem }
    guard let name, !name.isEmpty else { throw .unnamed("a property mapping") }
    return name
  }

  public func copy(with zone: NSZone?) -> Any { MigrationPropertyMapping(copying: self) }
}
