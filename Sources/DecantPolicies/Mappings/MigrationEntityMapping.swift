// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
// “name” has the type that it has in Core Data, so that code of apps compiles as it is.

public import DecantMapping
internal import DecantModel
public import Foundation
package import PredicateFormat

/// An entity mapping, for policies and programs (Core Data's NSEntityMapping).
///
/// A program can make and change entity mappings. A migration uses them as they are when the migration begins.
public final class MigrationEntityMapping: NSObject, NSCopying {
  /// The mapping as a value.
  ///
  /// The property mappings, user info, filter and source expression in this value are the original ones. `value()` has
  /// those that the program has set.
  ///
  /// Policies read this value for each object, so exclusivity isn't checked. Only this class sets the value.
  @exclusivity(unchecked) public private(set) final var mapping: EntityMapping
  /// The mapping's place among the entity mappings of all passes of a running step, counted from 1.
  package internal(set) var number: Int
  public var attributeMappings: [MigrationPropertyMapping]?
  public var relationshipMappings: [MigrationPropertyMapping]?
  public var userInfo: [AnyHashable: Any]?
  /// The source expression, if the program has set it.
  private var source: Source?
  private var hashes: (source: Data?, destination: Data?)

  private enum Source {
    case all
    case expression(FormatExpression)
    case unusable(PolicyProblem)
  }

  init(_ mapping: EntityMapping, number: Int) {
    self.mapping = mapping
    self.number = number
    attributeMappings = mapping.attributeMappings.map { MigrationPropertyMapping($0) }
    relationshipMappings = mapping.relationshipMappings.map { MigrationPropertyMapping($0) }
    userInfo = mapping.userInfo
    hashes = (mapping.sourceHash?.data, mapping.destinationHash?.data)
  }

  /// Makes an entity mapping without entities and property mappings.
  public override convenience init() {
    self.init(
      EntityMapping(name: "", type: .undefined, sourceEntityName: nil, destinationEntityName: nil), number: 0)
  }

  init(copying other: MigrationEntityMapping) {
    mapping = other.mapping
    number = other.number
    attributeMappings = other.attributeMappings?.map { MigrationPropertyMapping(copying: $0) }
    relationshipMappings = other.relationshipMappings?.map { MigrationPropertyMapping(copying: $0) }
    userInfo = other.userInfo
    source = other.source
    hashes = other.hashes
  }

  public func copy(with zone: NSZone?) -> Any { MigrationEntityMapping(copying: self) }

  // MARK: Settings

  public var name: String! {
    get { mapping.name }
    set { mapping.name = newValue ?? "" }
  }

  /// The kind.
  ///
  /// If the kind is undefined, a migration derives it from the entities and the policy.
  public var mappingType: EntityMappingType {
    get { mapping.type }
    set { mapping.type = newValue }
  }

  public var sourceEntityName: String? {
    get { mapping.sourceEntityName }
    set { mapping.sourceEntityName = newValue }
  }

  public var destinationEntityName: String? {
    get { mapping.destinationEntityName }
    set { mapping.destinationEntityName = newValue }
  }

  /// The version hash for which the mapping was made.
  ///
  /// `migrateStore` doesn't compare this hash with the model. It finds the entity by its name.
  public var sourceEntityVersionHash: Data? {
    get { hashes.source }
    set {
      hashes.source = newValue
      mapping.sourceHash = newValue.flatMap { VersionHash($0) }
    }
  }

  public var destinationEntityVersionHash: Data? {
    get { hashes.destination }
    set {
      hashes.destination = newValue
      mapping.destinationHash = newValue.flatMap { VersionHash($0) }
    }
  }

  /// The name of the policy class in the mapping model; `nil` for the base class and for a policy program.
  public var entityMigrationPolicyClassName: String? {
    get { if case .className(let name)? = mapping.policy { name } else { nil } }
    set { mapping.policy = newValue.flatMap { $0.isEmpty ? nil : EntityMapping.Policy.named($0) } }
  }

  /// The expression that fetches the source objects.
  package var fetch: FormatExpression? {
    switch source {
    case .expression(let expression)?: return expression
    case .all?, .unusable?: break
    case nil:
      if let own = mapping.sourceExpression { return own }
      if let entity = mapping.sourceEntityName, let filter = mapping.filter {
        return SourceFetch(entity: entity, predicate: "\(filter)").expression
      }
    }
    return mapping.sourceEntityName.map { SourceFetch(entity: $0).expression }
  }

  /// Sets the expression that fetches the source objects; `nil` for all objects of the source entity.
  package func setFetch(_ expression: FormatExpression?) {
    source = expression.map { .expression($0) } ?? .all
  }

  /// Notes that an unusable source expression was set; a migration with the mapping then fails for this reason.
  package func refuseFetch(_ problem: PolicyProblem) { source = .unusable(problem) }

  // MARK: The whole mapping

  /// The mapping with everything that was set.
  ///
  /// - Throws: `PolicyProblem` for an expression or a property mapping that can't be used.
  func value() throws(PolicyProblem) -> EntityMapping {
    var value = mapping
    value.attributeMappings = []
    for row in attributeMappings ?? [] { value.attributeMappings.append(try row.attributeMapping()) }
    value.relationshipMappings = []
    for row in relationshipMappings ?? [] { value.relationshipMappings.append(try row.relationshipMapping()) }
    value.userInfo = userInfo?.reduce(into: [:]) { $0[$1.key as? String ?? ""] = $1.value as? String } ?? [:]
    value.userInfo[""] = nil
    value.name = compiledName
    switch source {
    case .unusable(let problem)?: throw problem
    case .all?: (value.filter, value.sourceExpression) = (nil, nil)
    case .expression(let expression)?: try value.take(expression)
    case nil: break
    }
    if value.type == .undefined { value.type = Self.type(of: value) }
    return value
  }

  private var compiledName: String {
    guard mapping.name.isEmpty else { return mapping.name }
    switch (sourceEntityName, destinationEntityName) {
    case (let source?, let destination?): return "\(source)To\(destination)"
    case (let only?, nil), (nil, let only?): return only
    case (nil, nil): return ""
    }
  }

  private static func type(of mapping: EntityMapping) -> EntityMappingType {
    if mapping.policy != nil { return .custom }
    if mapping.sourceEntityName == nil { return .add }
    return mapping.destinationEntityName == nil ? .remove : .transform
  }
}

extension EntityMapping {
  /// Takes a source expression: the standard fetch of the source entity becomes a filter.
  fileprivate mutating func take(_ expression: FormatExpression) throws(PolicyProblem) {
    (filter, sourceExpression) = (nil, nil)
    guard let fetch = SourceFetch(expression), fetch.entity == sourceEntityName else {
      sourceExpression = expression
      return
    }
    guard fetch.predicate != "TRUEPREDICATE" else { return }
    do {
      filter = try FormatPredicate(parsing: fetch.predicate, arguments: [])
    } catch {
      throw .unusableExpression(fetch.predicate, problem: "\(error)")
    }
  }
}
