package import DecantMapping
package import DecantModel
internal import DecantPasses
package import DecantPolicies
internal import DecantStore
internal import PredicateFormat

/// The base policy's relate stage: it sets the relationships of the relationship mappings.
extension RowSession {
  package func relateByMapping(_ dInstance: ManagedObject, _ mapping: MigrationEntityMapping) throws {
    if try compiled(mapping.number).relationships.isEmpty { return }
    if try !self.defer(dInstance, mapping) { try relateNow(dInstance, mapping) }
  }

  func relateNow(_ dInstance: ManagedObject, _ mapping: MigrationEntityMapping) throws {
    let compiled = try compiled(mapping.number)
    for row in compiled.relationships { try set(row, of: dInstance, compiled) }
  }

  package func set(_ row: RelationshipMapping, of dInstance: ManagedObject, _ compiled: RowMapping) throws {
    let contents = try destinationContents(dInstance)
    guard
      let relationship = plan.destination.model.relationship(row.destinationName, of: contents.shape.entity),
      !relationship.isTransient
    else { return }
    try faulting(
      .relationship(row.destinationName), Self.text(row), compiled.mapping,
      firstSource(of: contents.place, compiled.mapping)
    ) {
      if relationship.isToMany {
        try setMembers(row, relationship, of: dInstance, contents, compiled)
      } else {
        var target: ManagedObject?
        try eachSource(of: contents.place, compiled.mapping) { source in
          let first = try targets(row, of: source, dInstance, relationship).first
          target = target ?? first
          return true
        }
        try countingDisplaced {
          try destination.leavingPlaces { try contents.setValue(target, forKey: relationship.name) }
        }
      }
    }
  }

  private static func text(_ row: RelationshipMapping) -> String {
    switch row.value {
    case .source(let name): "$source.\(name)"
    case .expression(let expression): "\(expression)"
    case .unset: "nil"
    }
  }

  private func firstSource(of place: RowKey, _ mapping: PassPlan.Mapping) throws -> String {
    let key = try destination.book.firstSource(of: place, mapping: mapping.number)
    return key.map { "\(mapping.source)/p\($0)" } ?? "of \(place.root)/p\(place.key)"
  }

  /// Calls the body with each source object of an object, in the order of their keys, until the body returns false.
  ///
  /// Many source objects can share one object, so only some are in memory at a time.
  func eachSource(
    of place: RowKey, _ mapping: PassPlan.Mapping, _ body: (ManagedObject) throws -> Bool
  ) throws {
    var last: Int64?
    while true {
      let keys = try destination.book.sources(
        of: place, mapping: mapping.number, after: last, limit: BatchSize.rows)
      for key in keys {
        last = key
        guard
          let object = source.object(entity: mapping.source, key: key)
        else { continue }
        guard try body(object) else { return }
      }
      guard keys.count == BatchSize.rows else { return }
      try releaseObjects()
    }
  }

  /// Writes the set values and releases objects that other code doesn't hold, during the work on one object.
  func releaseObjects() throws {
    try destination.endBatch()
    source.release()
  }

  /// Sets a to-many relationship to the expression's values for all source objects.
  private func setMembers(
    _ row: RelationshipMapping, _ relationship: Relationship, of dInstance: ManagedObject,
    _ contents: DestinationContents, _ compiled: RowMapping
  ) throws {
    // The lists of several source objects have no common order, so their order isn't kept.
    let isOrdered = compiled.unique == nil
    var targets: [ManagedObject] = []
    var members: MemberList?
    try eachSource(of: contents.place, compiled.mapping) { source in
      targets += try self.targets(row, of: source, dInstance, relationship)
      if targets.count >= BatchSize.rows {
        let list = try members ?? destination.memberList(relationship.name, of: contents, isOrdered: isOrdered)
        members = list
        try countingDisplaced { try list.add(targets) }
        targets = []
      }
      return true
    }
    try countingDisplaced {
      guard let members else {
        return try destination.setMembers(
          targets, try contents.link(relationship.name), of: contents, isOrdered: isOrdered)
      }
      try members.add(targets)
      try members.end()
    }
  }

  package func targets(
    _ row: RelationshipMapping, of object: ManagedObject, _ dInstance: ManagedObject,
    _ relationship: Relationship
  ) throws -> [ManagedObject] {
    let found: [ManagedObject]
    switch try? RelationshipExpression(of: row) {
    case .empty?: return []
    case .mapping(let name, let path)?:
      found = try destinations(mapping: name, of: sources(path, from: object))
    case .anyMapping(let path)?: found = try destinations(mapping: nil, of: sources(path, from: object))
    case nil:
      guard case .expression(let expression) = row.value else { return [] }
      found = try faulting(
        .relationship(row.destinationName), expression, compiled(manager.currentEntityMapping.number).mapping,
        "\(object.objectID)"
      ) {
        try objects(of: try expression.value(in: evaluation(object, destination: dInstance)))
      }
      if DestinationLookup(expression) == nil { return found }
    }
    // A look-up may find objects of other entities too. The relationship can't lead to these.
    return found.filter {
      plan.destination.model.isKind($0.entity.entity.name, of: relationship.destinationEntityName)
    }
  }

  /// The source objects at the end of a path of relationships.
  ///
  /// After several steps the objects are in the order of their keys, as in statements. If the last relationship is
  /// ordered, the objects stay in its order.
  private func sources(_ path: [String], from object: ManagedObject) throws -> [ManagedObject] {
    var objects = [object]
    for name in path { objects = try objects.flatMap { try $0.contents.members(forKey: name) } }
    guard path.count > 1, let last = path.last,
      objects.first?.contents is SourceContents, !isOrdered(last, path, from: object)
    else { return objects }
    return objects.sorted { $0.objectID.key < $1.objectID.key }
  }

  private func isOrdered(_ last: String, _ path: [String], from object: ManagedObject) -> Bool {
    var entity = object.entity.entity.name
    for name in path.dropLast() {
      guard let relationship = plan.source.model.relationship(name, of: entity) else { return false }
      entity = relationship.destinationEntityName
    }
    return plan.source.model.relationship(last, of: entity)?.isOrdered ?? false
  }

  private func objects(of value: Value) throws -> [ManagedObject] {
    switch value {
    case .null: return []
    case .object, .set, .array:
      return try (value.members ?? [value]).map { member in
        guard let object = managedObject(member) else {
          throw RowProblem(reason: "it gives \(member.kind), where destination objects are wanted")
        }
        return object
      }
    default:
      throw RowProblem(reason: "it gives \(value.kind), where destination objects are wanted")
    }
  }
}
