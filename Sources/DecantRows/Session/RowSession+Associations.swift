internal import DecantMapping
internal import DecantModel
package import DecantPolicies
internal import DecantStore

/// Associates objects, and finds associated objects, for the manager.
extension RowSession {
  package func associate(
    _ sInstance: ManagedObject, _ dInstance: ManagedObject, _ mapping: MigrationEntityMapping
  ) throws {
    guard mappings.contains(mapping) else { throw PolicyProblem.unknownMapping(mapping.name) }
    try settle()
    let from = try sourceContents(sInstance, of: mapping)
    let to = try destinationContents(dInstance)
    try destination.book.associate(from.key, to.place, mapping: mapping.number, isNew: to.isFresh)
  }

  func sourceContents(_ object: ManagedObject, of mapping: MigrationEntityMapping) throws -> SourceContents {
    guard let contents = object.contents as? SourceContents, contents.rows === source else {
      let isOurs = object.managedObjectContext === manager.destinationContext
      throw PolicyProblem.foreignObject(
        object: "\(object.objectID)",
        what: isOurs ? "a destination object, where a source object is wanted" : "no object of the source")
    }
    guard object.entity.root == mappings.sourceRoot(of: mapping) else {
      throw PolicyProblem.foreignObject(
        object: "\(object.objectID)",
        what:
          "no source object of the entity mapping “\(mapping.mapping.name)”, which takes “\(mapping.sourceEntityName ?? "")”"
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
          : "not an object of the destination of this migration")
    }
    guard !contents.isDeleted else { throw PolicyProblem.deletedObject("\(object.objectID)") }
    return contents
  }

  /// The objects that mappings have made from source objects.
  ///
  /// - Parameters:
  ///   - name: The name of the mappings; `nil` for all mappings.
  ///   - sources: The source objects; `nil` for all source objects.
  package func destinations(mapping name: String?, of sources: [ManagedObject]?) throws -> [ManagedObject] {
    let wanted = name.map { plan.mappings(named: $0) } ?? plan.mappings
    if let name, wanted.isEmpty { try requireAddition(name) }
    var found: [ManagedObject] = []
    var seen: Set<RowKey> = []
    func add(_ place: RowKey) throws {
      guard seen.insert(place).inserted,
        let object = try destination.object(associated: place, in: manager.destinationContext)
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
      guard let contents = object.contents as? SourceContents, contents.rows === source else {
        throw PolicyProblem.foreignObject(
          object: "\(object.objectID)", what: "not a source object, so no objects were made from it")
      }
      var places: [RowKey] = []
      for mapping in wanted where mapping.sourceTable.rootEntity == object.entity.root {
        places += try destination.book.destinations(of: contents.row.key, mapping: mapping.number)
      }
      // The objects made from one source object are in the order of their keys, as if statements set the relationship.
      if places.count > 1 { places.sort { ($0.key, $0.root) < ($1.key, $1.root) } }
      for place in places { try add(place) }
    }
    return found
  }

  /// Throws an error if no mapping has the name.
  ///
  /// A mapping that isn't in the plan makes no objects from source objects, so it has no associations.
  private func requireAddition(_ name: String) throws {
    guard mappings.contains(named: name) else { throw PolicyProblem.unknownMapping(name) }
  }

  /// The source objects from which the mappings of one name have made destination objects.
  ///
  /// - Parameter destinations: The destination objects; `nil` for all destination objects.
  package func sources(mapping name: String, of destinations: [ManagedObject]?) throws -> [ManagedObject] {
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
        // A policy may have associated objects of another entity of the table, so the row's own entity is read.
        if let object = try source.object(entity: mapping.source, key: key, in: manager.sourceContext) {
          found.append(object)
        }
      }
    }
    return found
  }
}
