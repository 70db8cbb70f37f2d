internal import DecantModel
package import DecantPolicies
internal import DecantSQLite

/// Makes, finds and deletes the objects of rows, and keeps them while they are referenced.
extension DestinationRows {
  func contents(ofNew entity: EntityDescription) throws -> any ObjectContents {
    if let last, last.description === entity { return try contents(ofNew: last) }
    let name = entity.entity.name
    let shape = try shape(of: name)
    guard entity === shape.description else {
      throw PolicyProblem.foreignObject(
        object: "entity “\(name)” of the new object",
        what: "of another model; use the entity of the destination model")
    }
    guard !entity.isAbstract else { throw PolicyProblem.abstractEntity(name) }
    last = shape
    return try contents(ofNew: shape)
  }

  private func contents(ofNew shape: EntityShape) throws -> DestinationContents {
    let key = try keptKey ?? keys.take(shape.rootNumber)
    keptKey = nil
    return made(shape, key: key, isNew: true)
  }

  func spare(ofNew entity: EntityDescription) throws -> ManagedObject? {
    guard let last, last.description === entity, let object = last.spare.take(),
      let contents = object.contents as? DestinationContents
    else { return nil }
    let key = try keptKey ?? keys.take(last.rootNumber)
    keptKey = nil
    contents.reuse(key: key, isNew: true)
    object.reuse()
    return object
  }

  private func object(_ shape: EntityShape, key: Int64, in context: ManagedObjectContext) -> ManagedObject {
    guard let object = shape.spare.take(), let contents = object.contents as? DestinationContents else {
      return context.object(
        of: shape.description, as: shape.objectClass, contents: made(shape, key: key, isNew: false))
    }
    contents.reuse(key: key, isNew: false)
    object.reuse()
    return object
  }

  private func made(_ shape: EntityShape, key: Int64, isNew: Bool) -> DestinationContents {
    guard let known = shape.idle.take() else {
      return DestinationContents(shape, key: key, isNew: isNew, rows: self)
    }
    known.reuse(key: key, isNew: isNew)
    return known
  }

  func adopt(_ object: ManagedObject) {
    guard let contents = object.contents as? DestinationContents else { return }
    if recent.count == Self.mostRecent { promote() }
    recent.append(object)
    contents.shape.made += 1
  }

  /// Ends the work on a row; an object that isn't referenced any more may serve a later row.
  package func retire() {
    while !recent.isEmpty {
      var object = recent.count == 1 ? recent.removeLast() : recent.removeFirst()
      guard let contents = object.contents as? DestinationContents else { continue }
      guard contents.isInserted || !contents.hasChanges, isKnownUniquelyReferenced(&object) else {
        hold(object, contents)
        continue
      }
      if contents.isInserted { contents.put(into: waiting) }
      if object.isReusable {
        contents.shape.spare = object
      } else {
        contents.shape.idle = contents
      }
    }
  }

  private func hold(_ object: ManagedObject, _ contents: DestinationContents) {
    guard !contents.isDeleted else { return }
    objects.add(object, at: contents.place)
    if contents.hasChanges { changed.append(contents) }
  }

  /// Moves the recently made objects to the table of all objects.
  func promote() {
    guard !recent.isEmpty else { return }
    // Unreferenced objects are released after all objects have been moved.
    let leaving = recent
    recent.removeAll(keepingCapacity: true)
    for object in leaving {
      if let contents = object.contents as? DestinationContents { hold(object, contents) }
    }
  }

  /// The objects of the current batch, and the objects that policies hold.
  func objectsInUse() -> [ManagedObject] { (recent + objects.all).filter { !$0.isDeleted } }

  private func known(_ place: RowKey) -> ManagedObject? {
    for object in recent where object.contents.key == place.key {
      if (object.contents as? DestinationContents)?.place == place { return object }
    }
    return objects[place]
  }

  func insert(_ object: ManagedObject) throws {
    let contents = try contents(ofNew: object.entity)
    let detached = object.contents as? DetachedContents
    object.contents = contents
    adopt(object)
    guard let values = detached?.values, !values.isEmpty else { return }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { try contents.setValue(value, forKey: key) }
  }

  /// The object of an existing row; made if no object of the row is in memory.
  package func object(_ place: RowKey, entity: String, in context: ManagedObjectContext) throws
    -> ManagedObject?
  {
    if let object = known(place) { return object }
    let shape = try shape(of: entity)
    let object = object(shape, key: place.key, in: context)
    objects.add(object, at: place)
    return object
  }

  /// The object of a row, whose entity is read from the row; `nil` if the row doesn't exist or the object was deleted.
  package func object(_ place: RowKey, in context: ManagedObjectContext) throws -> ManagedObject? {
    if let object = known(place) { return object.isDeleted ? nil : object }
    try flush()
    guard let table = layout.table(of: place.root) else { return nil }
    let number = try statements.first(
      "SELECT Z_ENT FROM main.\(quoted(table.name)) WHERE Z_PK = ?", [.integer(place.key)])
    guard let entity = number?.integer.flatMap({ entities[Int(clamping: $0)] }) else { return nil }
    return try object(place, entity: entity, in: context)
  }

  /// The object of an associated row; `nil` if the object doesn't exist any more.
  ///
  /// If the table has only one entity, an object that is made here stays in `recent`, usually until `retire()`.
  package func present(_ place: RowKey) throws -> ManagedObject? {
    if let object = known(place) { return object.isDeleted ? nil : object }
    guard let home, let shape = try shapeAlone(in: place.root) else {
      return try home.flatMap { try self.object(place, in: $0) }
    }
    let object = object(shape, key: place.key, in: home)
    if recent.count == Self.mostRecent { promote() }
    recent.append(object)
    return object
  }

  /// The shape of a table's only entity; `nil` if the table has several entities.
  private func shapeAlone(in root: String) throws -> EntityShape? {
    if let presented, presented.root == root { return presented }
    guard let alone = alone[root] else { return nil }
    let shape = try shape(of: alone)
    presented = shape
    return shape
  }

  /// The object of an existing row that is associated with a source object; `nil` if the object was deleted.
  package func object(associated place: RowKey, in context: ManagedObjectContext) throws -> ManagedObject? {
    if let object = known(place) { return object.isDeleted ? nil : object }
    guard let alone = alone[place.root] else { return try object(place, in: context) }
    return try object(place, entity: alone, in: context)
  }

  func object(entity: String, key: Int64, in context: ManagedObjectContext) throws -> ManagedObject? {
    guard let root = layout.model.root(of: entity)?.name else { return nil }
    return try object(RowKey(root: root, key: key), in: context)
  }

  func delete(_ object: ManagedObject) throws {
    guard let contents = object.contents as? DestinationContents, contents.rows === self else {
      throw PolicyProblem.foreignObject(object: "\(object.objectID)", what: "not an object of the destination")
    }
    guard !contents.isDeleted else { return }
    try settling?()
    for case .link(let link) in contents.shape.places.sorted(by: { $0.key < $1.key }).map(\.value) {
      if link.relationship.isToMany {
        try removeMembers(link, of: contents)
      } else {
        try setTarget(nil, link, of: contents)
      }
    }
    for (mapping, sources) in try book.forget(contents.place) {
      for source in sources { deletedSources.append((mapping, source)) }
    }
    if !contents.isInserted {
      try flush()
      try statements.run(
        "DELETE FROM main.\(quoted(contents.shape.table.name)) WHERE Z_PK = ?", [.integer(contents.key)])
    }
    contents.shape.made -= 1
    contents.deleted()
    objects.remove(contents.place)
  }

  /// The contents of a relationship's new target.
  func contents(
    of object: ManagedObject, for link: EntityShape.Link, _ entity: String
  ) throws -> DestinationContents {
    if let contents = object.contents as? DestinationContents, contents.rows === self, !contents.isDeleted,
      link.fitting == contents.shape.entity
    {
      return contents
    }
    let contents = try contents(of: object, for: link.relationship.name, entity)
    link.fitting = contents.shape.entity
    return contents
  }

  func contents(of object: ManagedObject, for key: String, _ entity: String) throws
    -> DestinationContents
  {
    guard let contents = object.contents as? DestinationContents, contents.rows === self else {
      let what =
        object.contents is SourceContents
        ? "a source object; “\(entity).\(key)” leads to destination objects"
        : "not in a context of this migration"
      throw PolicyProblem.foreignObject(object: "\(object.objectID)", what: what)
    }
    guard !contents.isDeleted else { throw PolicyProblem.deletedObject("\(object.objectID)") }
    guard let relationship = layout.model.relationship(key, of: entity),
      layout.model.isKind(contents.shape.entity, of: relationship.destinationEntityName)
    else {
      throw PolicyProblem.wrongEntity(
        entity: entity, property: key, found: "an object of “\(contents.shape.entity)”",
        wanted: layout.model.relationship(key, of: entity)?.destinationEntityName ?? "")
    }
    return contents
  }
}
