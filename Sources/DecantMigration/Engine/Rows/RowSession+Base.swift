internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import PredicateFormat

/// What the base class of policies does, and what the manager answers.
extension RowSession {
  // MARK: Creating

  func createByMapping(_ sInstance: ManagedObject, _ mapping: MigrationEntityMapping) throws {
    let compiled = try compiled(mapping.number)
    let key = try sourceContents(sInstance, of: mapping).row.key
    if let unique = compiled.unique {
      guard let value = try uniqueValue(unique, sInstance) else {
        hasNothingToBeUniqueBy = true
        return
      }
      if let known = try destination.statements.first(
        "SELECT destination FROM main.\(Associations.values) WHERE mapping = ? AND value = ?",
        [.integer(Int64(mapping.number)), value])?.integer
      {
        let place = RowKey(root: compiled.mapping.destinationTable.rootEntity, key: known)
        // A policy may have deleted it.
        if try destination.object(place, in: manager.destinationContext) != nil {
          try destination.book.associate(key, place, mapping: mapping.number, isNew: false)
          return
        }
      }
      let object = try make(sInstance, key, compiled, mapping)
      try destination.statements.run(
        "INSERT OR REPLACE INTO main.\(Associations.values) (mapping, value, destination) VALUES (?, ?, ?)",
        [.integer(Int64(mapping.number)), value, .integer(object.key)])
      return
    }
    _ = try make(sInstance, key, compiled, mapping)
  }

  private func make(
    _ sInstance: ManagedObject, _ key: Int64, _ compiled: RowMapping, _ mapping: MigrationEntityMapping
  ) throws -> DestinationContents {
    destination.keptKey = keptKey(sInstance, compiled.mapping)
    let object = manager.destinationContext.insertObject(ofEntity: compiled.mapping.destination)
    destination.keptKey = nil
    try manager.destinationContext.raise()
    guard let contents = object.contents as? DestinationContents else {
      throw PolicyProblem.unknownEntity(compiled.mapping.destination)
    }
    if let selection = compiled.selection {
      let values = try destination.statements.rows(selection, [.integer(key)]).first ?? []
      for (column, value) in zip(compiled.columns, values) { contents.set(value, column: column) }
    }
    for item in compiled.evaluated {
      do {
        let value = try item.expression.value(in: evaluation(sInstance))
        let fit = AttributeFit(item.attribute, entity: compiled.mapping.destination)
        contents.set(try fit.stored(value), column: item.column)
      } catch {
        throw RowProblem(property: item.attribute.name, reason: "\(error)")
      }
    }
    try destination.book.associate(key, contents.place, mapping: mapping.number, isNew: true)
    return contents
  }

  /// What an object is unique by, as the association table holds it; nil for none.
  private func uniqueValue(_ expression: FormatExpression, _ sInstance: ManagedObject) throws -> SQLiteValue? {
    let value = try expression.value(in: evaluation(sInstance))
    switch value {
    case .null: return nil
    case .string(let text), .url(let text): return .text(text)
    case .integer(let number): return .integer(number)
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .double(let number), .date(let number): return .real(number)
    case .decimal(let number): return .text("\(number)")
    case .data(let data): return .blob(data)
    case .uuid(let uuid): return .text(uuid.uuidString)
    default:
      throw RowProblem(property: nil, reason: "uniqueBy gives \(value.kind), where a plain value is wanted")
    }
  }

  // MARK: Relating

  func relateByMapping(_ dInstance: ManagedObject, _ mapping: MigrationEntityMapping) throws {
    let compiled = try compiled(mapping.number)
    guard !compiled.relationships.isEmpty else { return }
    let contents = try destinationContents(dInstance)
    let sources = try destination.book.sources(of: contents.place, mapping: mapping.number).compactMap {
      source.object(entity: compiled.mapping.source, key: $0, known: nil, in: manager.sourceContext)
    }
    for row in compiled.relationships {
      guard
        let relationship = plan.destination.model.relationship(row.destinationName, of: contents.shape.entity),
        !relationship.isTransient
      else { continue }
      do {
        if compiled.unique != nil, isOneToOne(relationship) {
          try claim(row, relationship, for: dInstance, sources, compiled.mapping)
          continue
        }
        var targets: [ManagedObject] = []
        for object in sources { targets += try self.targets(row, of: object, dInstance, relationship) }
        try countingDisplaced {
          if relationship.isToMany {
            try contents.setMembers(targets, forKey: relationship.name)
          } else {
            try contents.setValue(targets.first, forKey: relationship.name)
          }
        }
      } catch {
        throw RowProblem(property: row.destinationName, reason: "\(error)")
      }
    }
  }

  func targets(
    _ row: RelationshipMapping, of object: ManagedObject, _ dInstance: ManagedObject,
    _ relationship: Relationship
  ) throws -> [ManagedObject] {
    let found: [ManagedObject]
    switch row.value {
    case .unset: return []
    case .source(let name): found = try destinations(mapping: nil, of: object.contents.members(forKey: name))
    case .expression(let expression):
      switch try? RelationshipExpression(expression) {
      case .empty?: return []
      case .mapping(let name, let path)?:
        found = try destinations(mapping: name, of: sources(path, from: object))
      case .anyMapping(let path)?: found = try destinations(mapping: nil, of: sources(path, from: object))
      case nil:
        let value = try expression.value(in: evaluation(object, destination: dInstance))
        found = try objects(of: value)
        if DestinationLookup(expression) == nil { return found }
      }
    }
    // A look-up may find objects of other entities too; they are not for this relationship.
    return found.filter {
      plan.destination.model.isKind($0.entity.entity.name, of: relationship.destinationEntityName)
    }
  }

  /// The source objects at the end of a path of relationships; those of several steps in the order of their keys, as
  /// statements find them.
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

  /// The objects that a value stands for.
  private func objects(of value: Value) throws -> [ManagedObject] {
    switch value {
    case .null: return []
    case .object, .set, .array:
      return try (value.members ?? [value]).map { member in
        guard let object = managedObject(member) else {
          throw RowProblem(
            property: nil, reason: "it gives \(member.kind), where destination objects are wanted")
        }
        return object
      }
    default:
      throw RowProblem(property: nil, reason: "it gives \(value.kind), where destination objects are wanted")
    }
  }

  // MARK: Associations

  func associate(
    _ sInstance: ManagedObject, _ dInstance: ManagedObject, _ mapping: MigrationEntityMapping
  ) throws {
    guard mappings[mapping.number] === mapping || mappings.values.contains(where: { $0.name == mapping.name })
    else { throw PolicyProblem.unknownMapping(mapping.name) }
    let from = try sourceContents(sInstance, of: mapping)
    let to = try destinationContents(dInstance)
    try destination.book.associate(from.row.key, to.place, mapping: mapping.number, isNew: to.isFresh)
  }

  func sourceContents(_ object: ManagedObject, of mapping: MigrationEntityMapping) throws -> SourceContents {
    guard let contents = object.contents as? SourceContents,
      object.managedObjectContext === manager.sourceContext
    else {
      let isOurs = object.managedObjectContext === manager.destinationContext
      throw PolicyProblem.foreignObject(
        object: "\(object.objectID)",
        what: isOurs ? "a destination object, where a source object is wanted" : "no object of the source")
    }
    guard let planned = planned(mapping.number),
      plan.source.table(of: contents.row.entity)?.rootEntity == planned.sourceTable.rootEntity
    else {
      throw PolicyProblem.foreignObject(
        object: "\(object.objectID)",
        what:
          "no source object of the entity mapping “\(mapping.name)”, which takes “\(mapping.sourceEntityName ?? "")”"
      )
    }
    return contents
  }

  func destinationContents(_ object: ManagedObject) throws -> DestinationContents {
    guard let contents = object.contents as? DestinationContents, contents.rows === destination else {
      let isOurs = object.managedObjectContext === manager.sourceContext
      throw PolicyProblem.foreignObject(
        object: "\(object.objectID)",
        what: isOurs
          ? "a source object, where a destination object is wanted"
          : "no object of the destination of this migration")
    }
    guard !contents.isDeleted else { throw PolicyProblem.deletedObject("\(object.objectID)") }
    return contents
  }

  /// What mappings have made of source objects: those of one name, or all.
  func destinations(mapping name: String?, of sources: [ManagedObject]?) throws -> [ManagedObject] {
    let wanted = name.map { plan.mappings(named: $0) } ?? plan.mappings
    if let name, wanted.isEmpty { try requireAddition(name) }
    var found: [ManagedObject] = []
    var seen: Set<RowKey> = []
    func add(_ place: RowKey) throws {
      guard seen.insert(place).inserted,
        let object = try destination.object(place, in: manager.destinationContext)
      else { return }
      found.append(object)
    }
    guard let sources else {
      for mapping in wanted {
        let pairs = try destination.book.associations(
          mapping: mapping.number, after: .min, upTo: .max, limit: .max)
        for pair in pairs { try add(pair.destination) }
      }
      return found
    }
    for object in sources {
      guard let contents = object.contents as? SourceContents else {
        throw PolicyProblem.foreignObject(
          object: "\(object.objectID)", what: "no source object, of which something could have been made")
      }
      let root = plan.source.table(of: contents.row.entity)?.rootEntity
      for mapping in wanted where mapping.sourceTable.rootEntity == root {
        for place in try destination.book.destinations(of: contents.row.key, mapping: mapping.number) {
          try add(place)
        }
      }
    }
    return found
  }

  /// A name that no working mapping has must be that of an addition, which makes nothing and is asked in vain.
  private func requireAddition(_ name: String) throws {
    guard mappings.values.contains(where: { $0.name == name }) else { throw PolicyProblem.unknownMapping(name) }
  }

  /// The source objects of which the mappings of one name have made destination objects.
  func sources(mapping name: String, of destinations: [ManagedObject]?) throws -> [ManagedObject] {
    let wanted = plan.mappings(named: name)
    if wanted.isEmpty { try requireAddition(name) }
    var found: [ManagedObject] = []
    for mapping in wanted {
      var keys: [Int64] = []
      if let destinations {
        for object in destinations {
          let place = try destinationContents(object).place
          keys += try destination.book.sources(of: place, mapping: mapping.number)
        }
      } else {
        keys = try destination.book.associations(
          mapping: mapping.number, after: .min, upTo: .max, limit: .max
        ).map(\.source)
      }
      var seen: Set<Int64> = []
      for key in keys where seen.insert(key).inserted {
        // A mapping may have been given objects of another entity of the family.
        if let object = try source.object(entity: mapping.source, key: key, in: manager.sourceContext) {
          found.append(object)
        }
      }
    }
    return found
  }
}

/// What an expression of a mapping model can't do for a row.
struct RowProblem: Error, CustomStringConvertible {
  let property: String?
  let reason: String

  var description: String { (property.map { "“\($0)”: " } ?? "") + reason }
}
