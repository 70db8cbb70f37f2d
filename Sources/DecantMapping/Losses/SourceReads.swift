internal import DecantModel
internal import PredicateFormat

/// The source properties that the expressions, filters and `uniqueBy` of entity mappings read.
///
/// An entity mapping reads a property of its own source objects, or of other objects that its paths lead to. A path
/// that begins at a value of unknown kind counts as reading every property that has one of the path's names.
struct SourceReads {
  /// A property of an entity, which may be inherited.
  struct Property: Hashable {
    let entity: String
    let name: String
  }

  private let model: ManagedObjectModel
  private let destination: ManagedObjectModel
  private let check: MappingCheck
  private(set) var properties: Set<Property> = []
  /// The properties that attribute mappings and relationship mappings read; used only for attributes.
  private(set) var carried: Set<Property> = []
  /// The numbers of the entity mappings that read a property of their own source objects, and the use of the values.
  private(set) var readers: [Property: [Int: SourceReaders.Use]] = [:]
  /// The properties that an entity mapping reads of other objects than its own source objects.
  private(set) var readFromOtherObjects: Set<Property> = []
  /// The attributes of the entity mapping's own source objects that an attribute mapping reads, in reading order.
  private(set) var sources: [SourceReaders.AttributeMappingKey: [String]] = [:]
  /// The number of the entity mapping whose expressions are being read.
  private var number = 0
  /// Whether a filter or `uniqueBy` is being read.
  private var isSelecting = false
  /// The relationships of the entity mapping's own source objects that the current look-up has read; `nil` outside
  /// look-ups.
  private var ownLinks: [String]?
  /// The attributes of the entity mapping's own source objects that the current expression has read.
  private var ownNames: [String] = []
  /// Entities of the objects that an application's policies, policy programs or functions can see.
  private(set) var seenByCode: Set<String> = []
  private var seenByPrograms: Set<String> = []

  /// - Parameters:
  ///   - mappings: The entity mappings of all passes; each has its place as its number, from 1.
  ///   - model: The source version.
  ///   - destination: The destination version.
  init(_ mappings: [EntityMapping], from model: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.model = model
    self.destination = destination
    check = MappingCheck(
      mapping: MappingModel(name: "", origin: .inferred, entityMappings: mappings), source: model,
      destination: destination)
    for (place, mapping) in mappings.enumerated() where mapping.destinationEntityName != nil {
      guard let entity = mapping.sourceEntityName else { continue }
      number = place + 1
      read(mapping, of: entity)
    }
    // A policy gets the source object, and can follow relationships from one object to the next.
    var open = Array(seenByCode)
    while let entity = open.popLast() {
      for relationship in model.relationships(of: entity) {
        for target in model.family(of: relationship.destinationEntityName)
        where seenByCode.insert(target.name).inserted {
          open.append(target.name)
        }
      }
    }
    seenByCode.formUnion(seenByPrograms)
  }

  func reads(_ property: String, of entity: String) -> Bool {
    properties.contains(Property(entity: entity, name: property))
  }

  func carries(_ property: String, of entity: String) -> Bool {
    carried.contains(Property(entity: entity, name: property))
  }

  private mutating func read(_ mapping: EntityMapping, of entity: String) {
    isSelecting = true
    if let filter = mapping.filter { look(mapping, .filter) { $0.look(at: filter) } }
    if let uniqueBy = mapping.uniqueBy { look(mapping, .uniqueBy) { $0.kind(of: uniqueBy) } }
    isSelecting = false
    if case .program? = mapping.calledPolicy {
      // A program gets the object's values and the keys of related objects. No row for a property is evaluated.
      seenByPrograms.insert(entity)
      return
    }
    if mapping.calledPolicy != nil { seenByCode.insert(entity) }
    for row in mapping.attributeMappings {
      ownNames = []
      switch row.value {
      case .source(let name), .sourceOrDefault(let name):
        note(.init(key: name, entities: [entity], isOwn: true))
      case .expression(let expression):
        look(mapping, .attribute(row.destinationName)) { $0.kind(of: expression) }
      case .derived: noteDerived(row.destinationName, of: mapping.destinationEntityName ?? "", from: entity)
      case .defaultValue, .unset: break
      }
      sources[.init(mapping: number, attribute: row.destinationName)] = ownNames
    }
    for row in mapping.relationshipMappings {
      switch row.value {
      case .source(let name): link(name, of: entity, .init(row.destinationName, mapping: nil))
      case .expression(let expression):
        if let lookup = DestinationLookup(expression) {
          link(lookup, row.destinationName, of: entity, in: mapping)
        } else {
          look(mapping, .relationship(row.destinationName)) { $0.kind(of: expression) }
        }
      case .unset: break
      }
    }
  }

  private mutating func link(
    _ lookup: DestinationLookup, _ destination: String, of entity: String, in mapping: EntityMapping
  ) {
    var chosen: String?
    if case .entityMapping(let mapping) = lookup.kind { chosen = mapping }
    ownLinks = []
    let place = ExpressionPlace.relationship(destination)
    let kinds = look(mapping, place) { $0.kind(of: lookup.sources) }.one.alternatives
    let scope = KindScope(check, mapping, place)
    let found = Set(kinds.flatMap { scope.sourceEntities(of: $0) })
    let names = ownLinks ?? []
    ownLinks = nil
    for name in names {
      let targets =
        model.relationship(name, of: entity).map { model.family(of: $0.destinationEntityName) } ?? []
      if kinds.contains(.unknown) || !targets.contains(where: { found.contains($0.name) }) {
        readers[Property(entity: entity, name: name), default: [:]][number, default: .init()].isValue = true
      } else {
        link(name, of: entity, .init(destination, mapping: chosen))
      }
    }
  }

  private mutating func link(_ name: String, of entity: String, _ link: SourceReaders.Link) {
    let property = Property(entity: entity, name: name)
    properties.insert(property)
    readers[property, default: [:]][number, default: .init()].links.append(link)
  }

  /// Notes that a derived destination attribute reads the derived source attribute that it continues.
  private mutating func noteDerived(_ name: String, of entity: String, from source: String) {
    let former = destination.attribute(name, of: entity)?.renamingIdentifier
    for name in [former, name].compactMap({ $0 }) where model.attribute(name, of: source)?.isDerived == true {
      note(name, of: source, isOwn: true)
    }
  }

  // MARK: Expressions

  @discardableResult
  private mutating func look<Kind>(
    _ mapping: EntityMapping, _ place: ExpressionPlace, _ look: (inout KindCheck) -> Kind
  ) -> Kind {
    var kinds = KindCheck(KindScope(check, mapping, place))
    let kind = look(&kinds)
    kinds.reads.forEach { note($0) }
    seenByCode.formUnion(kinds.seenByCode)
    return kind
  }

  /// Notes a key of objects as read; a composite attribute's name means all of its elements.
  private mutating func note(_ read: KindCheck.Read) {
    for entity in read.entities {
      if model.relationship(read.key, of: entity) != nil || model.attribute(read.key, of: entity) != nil {
        note(read.key, of: entity, isOwn: read.isOwn)
      } else {
        for element in model.elements(ofComposite: read.key, of: entity) {
          note(element.name, of: entity, isOwn: read.isOwn)
        }
      }
    }
  }

  private mutating func note(_ name: String, of entity: String, isOwn: Bool) {
    // A filter or `uniqueBy` can read a relationship, but doesn't bring the relationship's pairs into the new store. So
    // the relationship doesn't count as read.
    if isSelecting, model.relationship(name, of: entity) != nil { return }
    let property = Property(entity: entity, name: name)
    properties.insert(property)
    if !isSelecting { carried.insert(property) }
    if isOwn, ownLinks != nil, model.relationship(name, of: entity) != nil {
      ownLinks?.append(name)
    } else if isOwn {
      readers[property, default: [:]][number, default: .init()].isValue = true
      if model.attribute(name, of: entity) != nil { ownNames.append(name) }
    } else {
      readFromOtherObjects.insert(property)
    }
  }
}
