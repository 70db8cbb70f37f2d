internal import DecantMapping
internal import DecantModel
internal import DecantPolicies
internal import DecantPolicyPrograms
internal import DecantStore

/// The links that policy programs state.
extension RowSession {
  // MARK: Ends

  /// The source object that an end of a link names, in the form `Note/p3`; `nil` if the end names an object by its id.
  func label(_ reference: PolicyProgramAnswer.Reference, _ mapping: MigrationEntityMapping) -> String? {
    guard case .source(let key, let name) = reference else { return nil }
    return label(key, mapping: name, mapping.number)
  }

  private func label(_ key: Int64, mapping name: String?, _ number: Int) -> String? {
    let entity = (name.flatMap { plan.mappings(named: $0).first } ?? planned(number))?.source
    return entity.map { "\($0)/p\(key)" }
  }

  private func label(_ end: ProgramLinks.End, _ number: Int) -> String? {
    guard case .made(let key, let name) = end else { return nil }
    return label(key, mapping: name, number)
  }

  func end(
    _ reference: PolicyProgramAnswer.Reference, _ mapping: MigrationEntityMapping
  ) throws -> ProgramLinks.End {
    switch reference {
    case .made(let id):
      guard let place = try links.key(of: id, mapping: mapping.number) else {
        throw RowProblem(reason: "a link names the id “\(id)”, which no object has")
      }
      return .object(place)
    case .source(let key, let name):
      if let name, plan.mappings(named: name).isEmpty { throw PolicyProblem.unknownMapping(name) }
      return .made(of: key, mapping: name)
    }
  }

  // MARK: Setting

  /// Sets the links of a mapping that can be set.
  ///
  /// - Parameters:
  ///   - mapping: The mapping; `nil` for the links of all mappings.
  ///   - isLast: Whether all objects have been made, so that a link can't wait for an object any more. Then links that
  ///     can't be set are removed.
  ///   - beat: Called after each batch of links.
  func link(_ mapping: MigrationEntityMapping?, isLast: Bool, beat: () -> Void) throws {
    var place = Int64.min
    while true {
      let some = try links.links(of: mapping?.number, after: place, limit: BatchSize.rows)
      for link in some {
        place = link.place
        guard let owner = mapping ?? mappings[link.mapping] else { continue }
        let from = try objects(link.from, mapping: link.mapping)
        let to = try objects(link.to, mapping: link.mapping)
        guard let (first, target) = Self.ends(from, link.relationship, to) else {
          // The link's objects were filtered out, or they are made in a later pass.
          if isLast {
            lostLinks += 1
            try links.remove(link)
          }
          continue
        }
        try explaining(owner, label(link.from, link.mapping) ?? "\(first.objectID)", link.outputPlace) {
          try set(link.relationship, of: first, to: target)
        }
        try links.remove(link)
      }
      try endBatch()
      beat()
      if some.count < BatchSize.rows { break }
    }
  }

  /// Selects an owner that has the relationship, and a target of the relationship's entity.
  ///
  /// If no object of an end fits, the first object of this end is selected. If an end has no object, the result is
  /// `nil`.
  private static func ends(
    _ from: [ManagedObject], _ name: String, _ to: [ManagedObject]
  ) -> (ManagedObject, ManagedObject)? {
    guard let first = from.first(where: { $0.entity.propertiesByName[name] != nil }) ?? from.first else {
      return nil
    }
    let wanted = (first.entity.propertiesByName[name] as? RelationshipDescription)?.destinationEntity
    let fitting = wanted.flatMap { wanted in to.first { $0.entity.isKindOf(entity: wanted) } }
    return (fitting ?? to.first).map { (first, $0) }
  }

  /// Sets the links that waited for later passes.
  func linkLate() throws { try link(nil, isLast: true, beat: {}) }

  private func set(_ name: String, of owner: ManagedObject, to target: ManagedObject) throws {
    let contents = try destinationContents(owner)
    if let relationship = plan.destination.model.relationship(name, of: contents.shape.entity),
      relationship.isToMany
    {
      try contents.insertMember(target, forKey: name)
    } else {
      try contents.setValue(target, forKey: name)
    }
  }

  private func objects(_ end: ProgramLinks.End, mapping: Int) throws -> [ManagedObject] {
    switch end {
    case .object(let place):
      return try destination.object(place, in: manager.destinationContext).map { [$0] } ?? []
    case .made(let source, let name):
      let wanted = name.map { plan.mappings(named: $0) } ?? plan.mappings.filter { $0.number == mapping }
      for one in wanted {
        let places = try destination.book.destinations(of: source, mapping: one.number)
        let found = try places.compactMap { try destination.object($0, in: manager.destinationContext) }
        if !found.isEmpty { return found }
      }
      return []
    }
  }
}
