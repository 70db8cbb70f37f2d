public import DecantModel

/// The stored source properties that nothing in the mapping models of one pair of versions reads.
///
/// An attribute is read if an attribute mapping, a relationship mapping, a filter or `uniqueBy` reads it, in an entity
/// mapping with a destination. A relationship is read if an attribute mapping or a relationship mapping reads it or its
/// inverse, because both have the same pairs. A filter or `uniqueBy` doesn't count for a relationship.
///
/// A derived attribute doesn't count as unread, because its value follows from other values. The exception is an
/// attribute that is derived from the time of the last change.
///
/// Entities that no entity mapping takes have no unread properties: their objects are lost as a whole
/// (`MappingCoverage`). The pairs that lead to such objects are lost with them.
public struct UnreadProperties: Sendable, Hashable {
  /// An unread property.
  public struct Property: Sendable, Hashable {
    /// An attribute or a relationship.
    public var kind: InferredMapping.Drop.Kind
    /// The declaring entity, or the topmost one if subentities declare the property again.
    ///
    /// If not all entities with the property lose it, each entity that loses it has a `Property` of its own.
    public var entity: String
    public var name: String
    /// The source entities whose own objects lose the property.
    public var entities: [String]
    /// The source entities of the targets that a relationship loses; empty for an attribute.
    public var targets: [String] = []
  }

  /// The properties that are lost, in order of topmost declaring entity and property name.
  public let lost: [Property]
  /// The unread properties of objects that a policy, or other code of the application, gets.
  ///
  /// Whether the code reads them can't be known.
  public let seenByCode: [Property]
  /// The attributes that only filters and `uniqueBy` read.
  public let selecting: [Property]
  /// The entity mappings that read each property.
  public let readers: SourceReaders

  /// An attribute that only some of the entity mappings of an entity read.
  public struct PartlyRead: Sendable, Hashable {
    public var entity: String
    public var attribute: String
    /// The names of the entity mappings that don't read it.
    public var others: [String]
  }

  /// The attributes that some objects lose, because only entity mappings with a filter or `uniqueBy` read them.
  ///
  /// They are in order of entity and name.
  public let partlyRead: [PartlyRead]

  /// - Parameters:
  ///   - mappings: The mapping models of all passes.
  ///   - source: The source version.
  ///   - destination: The destination version.
  public init(_ mappings: [MappingModel], from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.init(mappings, UnreadSearch(mappings, from: source, to: destination))
  }

  private init(_ mappings: [MappingModel], _ search: UnreadSearch) {
    readers = SourceReaders(search.reads)
    partlyRead = search.partlyRead(readers, mappings.flatMap(\.entityMappings))
    // The losses of entity mappings from “others” are left out here. They have lists of their own, with probable
    // renames.
    let known = mappings.flatMap(\.inferredLosses.drops)
    let open = search.found.compactMap { property in
      let drops = known.filter { $0.property == property.name }
      return drops.isEmpty
        ? property : property.limited { entity in !drops.contains { $0.entities.contains(entity) } }
    }
    selecting = search.selecting.flatMap(search.named)
    lost = open.compactMap { $0.limited { !search.reads.seenByCode.contains($0) } }.flatMap(search.named)
    seenByCode = open.compactMap { $0.limited(search.reads.seenByCode.contains) }.flatMap(search.named)
  }
}

extension UnreadProperties.Property {
  /// The property in some of its entities; `nil` if none is left.
  package func limited(_ isPart: (String) -> Bool) -> Self? {
    var part = self
    part.entities = entities.filter(isPart)
    return part.entities.isEmpty ? nil : part
  }
}

/// Collects unread properties at their topmost declaration.
///
/// An attribute is collected once, a relationship once for each different list of lost targets.
private struct UnreadSearch {
  let reads: SourceReads
  private(set) var found: [UnreadProperties.Property] = []
  private(set) var selecting: [UnreadProperties.Property] = []
  private var places: [Place: Int] = [:]
  private let model: ManagedObjectModel
  /// The source entities of the entity mappings that have a destination.
  private let taken: Set<String>

  private struct Place: Hashable {
    let entity: String
    let name: String
    let targets: [String]
  }

  init(_ mappings: [MappingModel], from model: ManagedObjectModel, to destination: ManagedObjectModel) {
    let all = mappings.flatMap(\.entityMappings)
    self.model = model
    taken = Set(all.filter { $0.destinationEntityName != nil }.compactMap(\.sourceEntityName))
    reads = SourceReads(all, from: model, to: destination)
    for root in model.rootEntities {
      for entity in model.family(of: root.name) where !entity.isAbstract && taken.contains(entity.name) {
        addAttributes(of: entity)
        addRelationships(of: entity)
      }
    }
    found.sort { left, right in
      left.entity == right.entity
        ? NameOrder.codePoints(left.name, right.name)
        : NameOrder.ignoringCase(left.entity, right.entity)
    }
  }

  private mutating func addAttributes(of entity: Entity) {
    for attribute in model.attributes(of: entity.name)
    where !attribute.isTransient && !attribute.followsFromOthers {
      if !reads.reads(attribute.name, of: entity.name) {
        add(.attribute, attribute.name, of: entity)
      } else if !reads.carries(attribute.name, of: entity.name), !reads.seenByCode.contains(entity.name) {
        let declaring = model.topmostEntity(declaring: attribute.name, of: entity.name)
        let known = selecting.firstIndex { $0.entity == declaring && $0.name == attribute.name }
        if let known {
          selecting[known].entities.append(entity.name)
        } else {
          selecting.append(
            .init(kind: .attribute, entity: declaring, name: attribute.name, entities: [entity.name]))
        }
      }
    }
  }

  private mutating func addRelationships(of entity: Entity) {
    for relationship in model.relationships(of: entity.name) where !relationship.isTransient {
      if reads.reads(relationship.name, of: entity.name) { continue }
      let targets = lostTargets(relationship)
      if !targets.isEmpty { add(.relationship, relationship.name, of: entity, targets) }
    }
  }

  private func lostTargets(_ relationship: Relationship) -> [String] {
    model.family(of: relationship.destinationEntityName).map(\.name).filter { target in
      taken.contains(target) && relationship.inverseName.map { reads.reads($0, of: target) } != true
    }
  }

  private mutating func add(
    _ kind: InferredMapping.Drop.Kind, _ name: String, of entity: Entity, _ targets: [String] = []
  ) {
    let declaring = model.topmostEntity(declaring: name, of: entity.name)
    let place = Place(entity: declaring, name: name, targets: targets)
    if let known = places[place] {
      found[known].entities.append(entity.name)
    } else {
      places[place] = found.count
      found.append(
        .init(kind: kind, entity: declaring, name: name, entities: [entity.name], targets: targets))
    }
  }

  func partlyRead(_ readers: SourceReaders, _ all: [EntityMapping]) -> [UnreadProperties.PartlyRead] {
    let numbered = zip(1..., all).filter { $0.1.destinationEntityName != nil }
    return taken.sorted(by: NameOrder.ignoringCase).flatMap { entity in
      let own = numbered.filter { $0.1.sourceEntityName == entity }
      return model.attributes(of: entity).compactMap { attribute -> UnreadProperties.PartlyRead? in
        guard own.count > 1, !attribute.isTransient, !attribute.followsFromOthers,
          let reading = readers.readers(of: attribute.name, entity: entity), !reading.isEmpty,
          !own.contains(where: { reading[$0.0] != nil && !$0.1.chooses })
        else { return nil }
        let others = own.filter { reading[$0.0] == nil }.map(\.1.name)
        return others.isEmpty ? nil : .init(entity: entity, attribute: attribute.name, others: others)
      }
    }
  }

  /// The property under its declaring entity if all entities lose it, otherwise one property for each entity.
  func named(_ property: UnreadProperties.Property) -> [UnreadProperties.Property] {
    let all = model.family(of: property.entity).filter { !$0.isAbstract && taken.contains($0.name) }
    guard property.entities.count < all.count else { return [property] }
    return property.entities.map { entity in
      .init(
        kind: property.kind, entity: entity, name: property.name, entities: [entity],
        targets: property.targets)
    }
  }
}

extension Attribute {
  /// Whether the attribute is derived from other values, and not from the current time.
  package var followsFromOthers: Bool {
    isDerived && derivationExpression?.hasPrefix("now") != true
  }
}
