public import DecantPolicies
internal import Foundation

extension ManagedObjectContext {
  /// The results of a request: objects, IDs, dictionaries or a number.
  ///
  /// In a migration, objects that the current chunk has made are included.
  ///
  /// - Throws: `CoreDataError` for a request that can't be carried out, and if an object isn't of the requested class,
  ///   for example because that class isn't registered. `PolicyProblem` if the context has no coordinator. In a
  ///   migration, also another `PolicyProblem`, `SQLiteError`, or an error of the predicate.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    if settings.isOwn { ContextClasses.note(Result.self, in: self) }
    return try results(of: request).map { found in
      guard let result = found as? Result else {
        throw CoreDataError(
          NSCoreDataError,
          "a fetch of “\(request.entityName ?? "")” gives objects of class \(type(of: found)), not \(Result.self); "
            + "register the class in the worker or in the coordinator's registry, under the class name that the model gives"
        )
      }
      return result
    }
  }

  private func results<Result>(of request: NSFetchRequest<Result>) throws -> [Any] {
    let query = try request.query(in: self)
    switch request.resultType {
    case .countResultType: return [NSNumber(value: try count(for: query))]
    case .managedObjectIDResultType: return try fetch(query).map(\.objectID)
    case .dictionaryResultType:
      let names = try propertyNames(request, of: query.entity)
      var seen = Set<NSDictionary>()
      return try fetch(query).compactMap { object in
        var values: [String: Any] = [:]
        for name in names {
          if let value = object.value(forKeyPath: name) { values[name] = value }
        }
        let row = NSDictionary(dictionary: values)
        return !request.returnsDistinctResults || seen.insert(row).inserted ? row : nil
      }
    default:
      let objects = try fetch(query)
      if !request.returnsObjectsAsFaults { for object in objects { try object.contents.read() } }
      return objects
    }
  }

  private func propertyNames<Result>(_ request: NSFetchRequest<Result>, of entity: String) throws -> [String] {
    guard let properties = request.propertiesToFetch else {
      return model.entitiesByName[entity]?.attributesByName.keys.sorted() ?? []
    }
    return try properties.map { property in
      switch property {
      case let name as String: return name
      case let description as PropertyDescription: return description.name
      default:
        throw CoreDataError(
          NSCoreDataError, "propertiesToFetch takes names and property descriptions, not \(type(of: property))")
      }
    }
  }

  /// The number of objects that a request finds.
  ///
  /// - Throws: The errors of `fetch(_:)`, except the error about the requested class.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    try count(for: try request.query(in: self))
  }

  public func insert(_ objects: [ManagedObject]) { for object in objects { insert(object) } }
}

extension EntityDescription {
  /// Creates an object of an entity in a context.
  public static func insertNewObject(
    forEntityName name: String, into context: ManagedObjectContext
  ) -> ManagedObject {
    context.insertObject(ofEntity: name)
  }

  public static func entity(
    forEntityName name: String, in context: ManagedObjectContext
  ) -> EntityDescription? {
    context.model.entitiesByName[name]
  }
}
