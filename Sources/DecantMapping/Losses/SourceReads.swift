internal import DecantModel
internal import PredicateFormat

/// The source properties that the expressions, filters and `uniqueBy` of entity mappings read.
///
/// A path that begins at a value of unknown kind counts as a reading of all properties with its names.
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

    static let value = Result()
    static let unknown = Result(isUnknown: true)

    func union(_ other: Result) -> Result {
      Result(entities: entities.union(other.entities), isUnknown: isUnknown || other.isUnknown)
    }
  }

  private let model: ManagedObjectModel
  private let destination: ManagedObjectModel
  private(set) var properties: Set<Property> = []
  /// Entities of objects that policies or other functions of an application can see.
  private(set) var seenByCode: Set<String> = []
  private var seenByPrograms: Set<String> = []
  /// The variables' values; `$source` is among them.
  private var variables: [String: Result] = [:]
  /// The object of keys without an object.
  private var object = Result.value

  /// - Parameters:
  ///   - mappings: The entity mappings of all passes.
  ///   - model: The source version.
  ///   - destination: The destination version.
  init(_ mappings: [EntityMapping], from model: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.model = model
    self.destination = destination
    for mapping in mappings where mapping.destinationEntityName != nil {
      guard let entity = mapping.sourceEntityName else { continue }
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

  private mutating func read(_ mapping: EntityMapping, of entity: String) {
    let source = Result(entities: [entity])
    variables = ["source": source]
    object = source
    if let filter = mapping.filter { look(at: filter) }
    if let uniqueBy = mapping.uniqueBy { look(at: uniqueBy) }
    if case .program? = mapping.calledPolicy {
      // It gets the object's values and the keys of related objects, and no row is evaluated.
      seenByPrograms.insert(entity)
      return
    }
    if mapping.calledPolicy != nil { seenByCode.insert(entity) }
    for row in mapping.attributeMappings {
      switch row.value {
      case .source(let name), .sourceOrDefault(let name): follow(name, from: source)
      case .expression(let expression): look(at: expression)
      case .derived: noteDerived(row.destinationName, of: mapping.destinationEntityName ?? "", from: entity)
      case .defaultValue, .unset: break
      }
    }
    for row in mapping.relationshipMappings {
      switch row.value {
      case .source(let name): follow(name, from: source)
      case .expression(let expression): look(at: expression)
      case .unset: break
      }
    }
  }

  /// A derived attribute of the destination takes the place of the source's derived attribute that it continues.
  private mutating func noteDerived(_ name: String, of entity: String, from source: String) {
    let former = destination.attribute(name, of: entity)?.renamingIdentifier
    for name in [former, name].compactMap({ $0 }) where model.attribute(name, of: source)?.isDerived == true {
      properties.insert(Property(entity: source, name: name))
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

  /// A message: the manager's lookups need only the relationship, and other code may read whatever it gets.
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

  /// Notes a key of objects as read; a composite attribute's name stands for all of its elements.
  @discardableResult
  private mutating func follow(_ key: String, from result: Result) -> Result {
    var found = Result.value
    for entity in entities(of: result) {
      if let relationship = model.relationship(key, of: entity) {
        found.entities.formUnion(model.family(of: relationship.destinationEntityName).map(\.name))
      } else if model.attribute(key, of: entity) == nil {
        for element in model.elements(ofComposite: key, of: entity) {
          properties.insert(Property(entity: entity, name: element.name))
        }
        continue
      }
      properties.insert(Property(entity: entity, name: key))
    }
    return found
  }

  private func isComposite(_ key: String, of result: Result) -> Bool {
    entities(of: result).contains { !model.elements(ofComposite: key, of: $0).isEmpty }
  }

  private func entities(of result: Result) -> [String] {
    result.isUnknown ? model.entities.map(\.name) : Array(result.entities)
  }
}
