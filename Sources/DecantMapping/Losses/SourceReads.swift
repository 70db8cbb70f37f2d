internal import DecantModel
internal import PredicateFormat

/// The source properties that the expressions, filters and `uniqueBy` of entity mappings read.
///
/// An entity mapping reads a property of its own source objects, or of others that it reaches. A path that begins at a
/// value of unknown kind counts as a reading of all properties with its names.
struct SourceReads {
  /// A property of an entity, which may be inherited.
  struct Property: Hashable {
    let entity: String
    let name: String
  }

  /// The possible results of an expression.
  struct Result {
    /// The entities of the objects, without those of subentities.
    var entities: Set<String> = []
    /// Whether it may be an object of any entity.
    var isUnknown = false
    /// Whether it is the entity mapping's own source object.
    var isOwn = false

    static let value = Result()
    static let unknown = Result(isUnknown: true)

    private var isObject: Bool { isUnknown || !entities.isEmpty }

    func union(_ other: Result) -> Result {
      guard isObject, other.isObject else { return isObject ? self : other }
      return Result(
        entities: entities.union(other.entities), isUnknown: isUnknown || other.isUnknown,
        isOwn: isOwn && other.isOwn)
    }
  }

  private let model: ManagedObjectModel
  private let destination: ManagedObjectModel
  private(set) var properties: Set<Property> = []
  /// The properties that more than filters and `uniqueBy` read.
  private(set) var carried: Set<Property> = []
  /// The numbers of the entity mappings that read a property of their own source objects, and the use of the values.
  private(set) var readers: [Property: [Int: SourceReaders.Use]] = [:]
  /// The properties that an entity mapping reads of other objects than its own source objects.
  private(set) var reached: Set<Property> = []
  /// The attributes of its own source objects that an attribute mapping reads, in reading order.
  private(set) var sources: [SourceReaders.Row: [String]] = [:]
  /// The number of the entity mapping whose expressions are read.
  private var number = 0
  /// Whether a filter or `uniqueBy` is read.
  private var isSelecting = false
  /// The own relationships that the source objects of a relationship mapping come from; `nil` in other expressions.
  private var ownLinks: [String]?
  /// The own attributes that an expression has read.
  private var ownNames: [String] = []
  /// Entities of objects that policies or other functions of an application can see.
  private(set) var seenByCode: Set<String> = []
  private var seenByPrograms: Set<String> = []
  /// The variables' values; `$source` is among them.
  private var variables: [String: Result] = [:]
  /// The object of keys without an object.
  private var object = Result.value

  /// - Parameters:
  ///   - mappings: The entity mappings of all passes; each has its place as its number, from 1.
  ///   - model: The source version.
  ///   - destination: The destination version.
  init(_ mappings: [EntityMapping], from model: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.model = model
    self.destination = destination
    for (place, mapping) in mappings.enumerated() where mapping.destinationEntityName != nil {
      guard let entity = mapping.sourceEntityName else { continue }
      number = place + 1
      read(mapping, of: entity)
    }
    // A policy gets the source object, and relationships lead from one object to the next.
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

  /// Whether more than filters and `uniqueBy` read a property.
  func carries(_ property: String, of entity: String) -> Bool {
    carried.contains(Property(entity: entity, name: property))
  }

  private mutating func read(_ mapping: EntityMapping, of entity: String) {
    let source = Result(entities: [entity], isOwn: true)
    variables = ["source": source]
    object = source
    isSelecting = true
    if let filter = mapping.filter { look(at: filter) }
    if let uniqueBy = mapping.uniqueBy { look(at: uniqueBy) }
    isSelecting = false
    if case .program? = mapping.calledPolicy {
      // It gets the object's values and the keys of related objects, and no row is evaluated.
      seenByPrograms.insert(entity)
      return
    }
    if mapping.calledPolicy != nil { seenByCode.insert(entity) }
    for row in mapping.attributeMappings {
      ownNames = []
      switch row.value {
      case .source(let name), .sourceOrDefault(let name): follow(name, from: source)
      case .expression(let expression): look(at: expression)
      case .derived: noteDerived(row.destinationName, of: mapping.destinationEntityName ?? "", from: entity)
      case .defaultValue, .unset: break
      }
      sources[.init(mapping: number, attribute: row.destinationName)] = ownNames
    }
    for row in mapping.relationshipMappings {
      switch row.value {
      case .source(let name): link(name, of: entity, .init(row.destinationName, mapping: nil))
      case .expression(let expression):
        if let lookup = DestinationLookup(expression), let name = lookup.sources.sourceKey {
          var chosen: String?
          if case .entityMapping(let mapping) = lookup.kind { chosen = mapping }
          link(name, of: entity, .init(row.destinationName, mapping: chosen))
        } else if let lookup = DestinationLookup(expression) {
          link(lookup, row.destinationName, of: entity)
        } else {
          look(at: expression)
        }
      case .unset: break
      }
    }
  }

  /// Notes a relationship mapping that gives the destination instances of what an expression gives.
  private mutating func link(_ lookup: DestinationLookup, _ destination: String, of entity: String) {
    var chosen: String?
    if case .entityMapping(let mapping) = lookup.kind { chosen = mapping }
    ownLinks = []
    let result = look(at: lookup.sources)
    let names = ownLinks ?? []
    ownLinks = nil
    for name in names {
      let targets =
        model.relationship(name, of: entity).map { model.family(of: $0.destinationEntityName) } ?? []
      if result.isUnknown || !targets.contains(where: { result.entities.contains($0.name) }) {
        readers[Property(entity: entity, name: name), default: [:]][number, default: .init()].isValue = true
      } else {
        link(name, of: entity, .init(destination, mapping: chosen))
      }
    }
  }

  /// Notes a relationship that leads to the destination instances of its targets.
  private mutating func link(_ name: String, of entity: String, _ link: SourceReaders.Link) {
    let property = Property(entity: entity, name: name)
    properties.insert(property)
    readers[property, default: [:]][number, default: .init()].links.append(link)
  }

  /// A derived attribute of the destination takes the place of the source's derived attribute that it continues.
  private mutating func noteDerived(_ name: String, of entity: String, from source: String) {
    let former = destination.attribute(name, of: entity)?.renamingIdentifier
    for name in [former, name].compactMap({ $0 }) where model.attribute(name, of: source)?.isDerived == true {
      note(name, of: source, isOwn: true)
    }
  }

  // MARK: Expressions

  @discardableResult
  private mutating func look(at expression: FormatExpression) -> Result {
    switch expression {
    case .constant, .anyKey: return .value
    case .selfObject: return object
    // The manager, policies and destination objects aren't source objects.
    case .variable(let name): return variables[name] ?? .value
    case .keyPath(let path): return follow(path)
    case .function(_, let parts), .aggregate(let parts): return union(of: parts)
    case .message(let target, let selector, let arguments):
      return send(selector, to: target, arguments, expression)
    case .cast(let value, _), .assignment(_, let value): return look(at: value)
    case .ternary(let condition, let positive, let negative):
      look(at: condition)
      return look(at: positive).union(look(at: negative))
    case .subquery(let collection, let variable, let predicate):
      let members = look(at: collection)
      let outer = (variables, object)
      defer { (variables, object) = outer }
      variables[variable] = members
      object = object.union(members)
      look(at: predicate)
      return members
    case .set(_, let left, let right): return look(at: left).union(look(at: right))
    case .fetch(let request, let context, _):
      look(at: request)
      look(at: context)
      return .unknown
    }
  }

  private mutating func look(at predicate: FormatPredicate) {
    switch predicate {
    case .always, .never: break
    case .not(let inner): look(at: inner)
    case .and(let parts), .or(let parts):
      for part in parts { look(at: part) }
    case .comparison(let comparison):
      look(at: comparison.left)
      look(at: comparison.right)
    }
  }

  private mutating func union(of parts: [FormatExpression]) -> Result {
    var all = Result.value
    for part in parts { all = all.union(look(at: part)) }
    return all
  }

  /// A message: the manager's lookups read only the relationship; other code may read everything that it gets.
  private mutating func send(
    _ selector: String, to target: FormatExpression, _ arguments: [FormatExpression],
    _ expression: FormatExpression
  ) -> Result {
    if let lookup = DestinationLookup(expression) {
      look(at: lookup.sources)
      return .value
    }
    let owner = look(at: target)
    let keySelectors = ["valueForKey:", "valueForKeyPath:", "objectIDsForRelationshipNamed:"]
    if keySelectors.contains(selector), case .constant(.string(let keys))? = arguments.first {
      return keys.split(separator: ".").reduce(owner) { follow(String($1), from: $0) }
    }
    let given = arguments.reduce(owner) { $0.union(look(at: $1)) }
    seenByCode.formUnion(given.isUnknown ? Set(model.entities.map(\.name)) : given.entities)
    return .unknown
  }

  // MARK: Paths

  private mutating func follow(_ path: PredicateFormat.KeyPath) -> Result {
    var current = look(at: path.operand)
    var rest = path.steps[...]
    while let step = rest.popFirst() {
      switch step {
      case .key(let key):
        if case .key(let element)? = rest.first, isComposite(key, of: current) {
          rest.removeFirst()
          current = follow("\(key).\(element)", from: current)
        } else {
          current = follow(key, from: current)
        }
      case .collection(.count), .size: current = .value
      case .index(let index): look(at: index)
      case .collection, .first, .last: break
      }
    }
    return current
  }

  /// Notes a key of objects as read; a composite attribute's name means all of its elements.
  @discardableResult
  private mutating func follow(_ key: String, from result: Result) -> Result {
    var found = Result.value
    for entity in entities(of: result) {
      if let relationship = model.relationship(key, of: entity) {
        found.entities.formUnion(model.family(of: relationship.destinationEntityName).map(\.name))
      } else if model.attribute(key, of: entity) == nil {
        for element in model.elements(ofComposite: key, of: entity) {
          note(element.name, of: entity, isOwn: result.isOwn)
        }
        continue
      }
      note(key, of: entity, isOwn: result.isOwn)
    }
    return found
  }

  private mutating func note(_ name: String, of entity: String, isOwn: Bool) {
    // A filter keeps no pair.
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
      reached.insert(property)
    }
  }

  private func isComposite(_ key: String, of result: Result) -> Bool {
    entities(of: result).contains { !model.elements(ofComposite: key, of: $0).isEmpty }
  }

  private func entities(of result: Result) -> [String] {
    result.isUnknown ? model.entities.map(\.name) : Array(result.entities)
  }
}
