internal import DecantModel
internal import DecantPolicies
internal import DecantSQLite
internal import DecantStore

/// Relationships: setting one end sets the other (docs/policies.md, “Objects”).
extension DestinationRows {
  private func contents(_ root: String, _ key: Int64) throws -> DestinationContents? {
    guard let home else { return nil }
    return try object(RowKey(root: root, key: key), in: home)?.contents as? DestinationContents
  }

  private func root(of link: EntityShape.Link) -> String {
    let name = link.relationship.destinationEntityName
    return layout.model.root(of: name)?.name ?? name
  }

  // MARK: To-one

  func target(_ link: EntityShape.Link, of owner: DestinationContents) throws -> ManagedObject? {
    guard let key = try owner.column(link.column).integer, let home else { return nil }
    return try object(RowKey(root: root(of: link), key: key), in: home)
  }

  func setTarget(_ object: ManagedObject?, _ link: EntityShape.Link, of owner: DestinationContents)
    throws
  {
    let target = try object.map { try contents(of: $0, for: link, owner.shape.entity) }
    let former = try link.index.map { try owner.column($0) }?.integer
    if former == target?.key { return }
    if former != nil { noteDisplaced() }
    if let inverse = link.inverse, !inverse.isToMany {
      if let former, let old = try contents(root(of: link), former) { clear(inverse.name, of: old) }
      if let target, case .link(let back)? = target.shape.places[inverse.name] {
        if let key = try target.column(back.column).integer, key != owner.key,
          let rival = try contents(root(of: back), key)
        {
          clear(link.relationship.name, of: rival)
          noteDisplaced()
        }
        lead(target, to: owner, back)
      }
    }
    guard let target else {
      clear(link.relationship.name, of: owner)
      return
    }
    // The place is computed before the reference is set, because the owner's own former place must not count.
    var place: Int64?
    if let inverse = link.inverse, inverse.isToMany, link.orderColumn != nil,
      case .link(let back)? = target.shape.places[inverse.name]
    {
      if leavesPlaces { noteUnplaced(back, of: target) } else { place = try nextPlace(back, of: target) }
    }
    lead(owner, to: target, link)
    if link.orderColumn != nil { owner.set(place.map(SQLiteValue.integer) ?? .null, column: link.orderColumn) }
    if let inverse = link.inverse, inverse.isToMany { target.touch(inverse.name) }
  }

  private func lead(_ owner: DestinationContents, to target: DestinationContents, _ link: EntityShape.Link) {
    if let index = link.index { owner.set(.integer(target.key), column: index) }
    owner.set(.integer(Int64(target.shape.number)), column: link.entityColumn)
  }

  private func clear(_ name: String, of owner: DestinationContents) {
    if case .link(let link)? = owner.shape.places[name] { clear(link, in: owner) }
  }

  /// Clears the columns of a link in the row that has them.
  private func clear(_ link: EntityShape.Link, in row: DestinationContents) {
    for column in [link.column, link.entityColumn, link.orderColumn] { row.set(.null, column: column) }
  }

  // MARK: To-many

  func members(_ link: EntityShape.Link, of owner: DestinationContents) throws -> [ManagedObject] {
    try memberKeys(link, of: owner).compactMap { try member($0, link) }
  }

  private func member(_ key: Int64, _ link: EntityShape.Link) throws -> ManagedObject? {
    guard let home else { return nil }
    return try object(RowKey(root: root(of: link), key: key), in: home)
  }

  /// - Parameters:
  ///   - condition: A condition on the members' keys, as SQL that follows the key.
  ///   - limit: The maximum number of keys; a negative number means no limit.
  private func memberKeys(
    _ link: EntityShape.Link, of owner: DestinationContents, where condition: String? = nil, limit: Int = -1
  ) throws -> [Int64] {
    guard owner.mayHaveMembers(link.relationship.name) else { return [] }
    try flush()
    let storage = link.storage
    try indexes.make(storage.table, storage.owner)
    // Members without an ordering key come last, as in the finished store.
    let order = storage.order.map { "j.\(quoted($0)) IS NULL, j.\(quoted($0)), " } ?? ""
    let target = "j.\(quoted(storage.target))"
    return try statements.rows(
      "SELECT \(target) FROM main.\(quoted(storage.table)) AS j WHERE j.\(quoted(storage.owner)) = ?1 "
        + (condition.map { "AND \(target) \($0) " } ?? "") + "ORDER BY \(order)1 LIMIT ?2",
      [.integer(owner.key), .integer(Int64(limit))]
    ).compactMap { $0.first?.integer }
  }

  /// A list of members that comes in parts.
  ///
  /// - Parameter isOrdered: Whether an ordered relationship keeps the order of the list.
  func memberList(_ name: String, of owner: DestinationContents, isOrdered: Bool) throws -> MemberList {
    try MemberList(owner.link(name), of: owner, isOrdered: isOrdered, in: self)
  }

  /// Removes members from a relationship: those that meet the condition, or all if there is no condition.
  ///
  /// The current batch ends after every `BatchSize.rows` members, so that few objects are in memory.
  ///
  /// - Parameter condition: The same as in `memberKeys`.
  func removeMembers(
    _ link: EntityShape.Link, of owner: DestinationContents, where condition: String? = nil
  ) throws {
    while true {
      let some = try memberKeys(link, of: owner, where: condition, limit: BatchSize.rows)
      for key in some {
        guard let contents = try member(key, link)?.contents as? DestinationContents else { continue }
        try remove(contents, link, from: owner)
      }
      guard some.count == BatchSize.rows else { return }
      try endBatch()
    }
  }

  /// Sets all members of a relationship.
  ///
  /// - Parameter isOrdered: Whether an ordered relationship keeps the order of the objects. If not, its new members get
  ///   ordering keys later, in the order of their primary keys.
  func setMembers(
    _ objects: [ManagedObject], _ link: EntityShape.Link, of owner: DestinationContents, isOrdered: Bool = true
  ) throws {
    let isOrdered = isOrdered && link.orderColumn != nil
    var members: [DestinationContents] = []
    var seen: Set<Int64> = []
    for object in objects {
      let member = try contents(of: object, for: link, owner.shape.entity)
      if seen.insert(member.key).inserted { members.append(member) }
    }
    for former in try self.members(link, of: owner) where !seen.contains(former.objectID.key) {
      guard let contents = former.contents as? DestinationContents else { continue }
      try remove(contents, link, from: owner)
    }
    var place = OrderingKeys.beforeFirst
    for member in members {
      place += OrderingKeys.step
      try put(member, link, into: owner, at: isOrdered ? place : nil)
    }
    if isOrdered { note(last: place, link, of: owner) } else { noteUnplaced(link, of: owner) }
  }

  func add(_ member: DestinationContents, _ link: EntityShape.Link, to owner: DestinationContents)
    throws
  {
    if try has(member, link, owner) { return }
    try put(member, link, into: owner, at: link.orderColumn == nil ? nil : try nextPlace(link, of: owner))
  }

  func has(
    _ member: DestinationContents, _ link: EntityShape.Link, _ owner: DestinationContents
  ) throws -> Bool {
    switch link.storage.kind {
    case .owners: return false
    case .targets: return try member.column(link.column).integer == owner.key
    case .join:
      return try statements.first(
        "SELECT 1 FROM main.\(quoted(link.storage.table)) WHERE \(quoted(link.storage.owner)) = ? "
          + "AND \(quoted(link.storage.target)) = ?", [.integer(owner.key), .integer(member.key)]) != nil
    }
  }

  func put(
    _ member: DestinationContents, _ link: EntityShape.Link, into owner: DestinationContents, at place: Int64?
  ) throws {
    owner.touch(link.relationship.name)
    let storage = link.storage
    switch storage.kind {
    case .owners: return
    case .targets:
      if let former = try member.column(link.column).integer, former != owner.key {
        noteDisplaced()
        member.set(.null, column: link.orderColumn)
      }
      member.set(.integer(owner.key), column: link.column)
      member.set(.integer(Int64(owner.shape.number)), column: link.entityColumn)
      if let place { member.set(.integer(place), column: link.orderColumn) }
    case .join:
      if let inverse = link.inverse { member.touch(inverse.name) }
      try statements.run(
        "INSERT OR IGNORE INTO main.\(quoted(storage.table)) (\(quoted(storage.owner)), \(quoted(storage.target))) "
          + "VALUES (?, ?)", [.integer(owner.key), .integer(member.key)])
      guard let place, let order = storage.order else { return }
      try statements.run(
        "UPDATE main.\(quoted(storage.table)) SET \(quoted(order)) = ? WHERE \(quoted(storage.owner)) = ? "
          + "AND \(quoted(storage.target)) = ?", [.integer(place), .integer(owner.key), .integer(member.key)])
    }
  }

  func remove(_ member: DestinationContents, _ link: EntityShape.Link, from owner: DestinationContents) throws {
    let storage = link.storage
    switch storage.kind {
    case .owners: return
    case .targets:
      guard try member.column(link.column).integer == owner.key else { return }
      noteDisplaced()
      clear(link, in: member)
    case .join:
      noteDisplaced()
      try statements.run(
        "DELETE FROM main.\(quoted(storage.table)) WHERE \(quoted(storage.owner)) = ? "
          + "AND \(quoted(storage.target)) = ?", [.integer(owner.key), .integer(member.key)])
    }
  }
}
