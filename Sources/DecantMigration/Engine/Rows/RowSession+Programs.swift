internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import PredicateFormat

/// Entity mappings that a policy program carries out (docs/policy-programs.md).
///
/// What the program remembers is lost with its process, so that nothing is committed before its last batch. Links are
/// kept in the working file and set in the relate stage, those to objects of later passes when the last pass has ended.
extension RowSession {
  func perform(
    _ action: RowAction, _ words: [String], _ mapping: MigrationEntityMapping, _ planned: PassPlan.Mapping,
    after lower: Int64, upTo upper: Int64, beat: () -> Void
  ) throws {
    switch action {
    case .begin:
      let program = PolicyProgram(words: words, folder: folder, isStopped: isStopped)
      programs[mapping.number] = program
      stateful.insert(mapping.number)
      try telling(mapping, nil) {
        try program.start(
          PolicyProgramHello(
            pass: manager.mappingModel.name, entityMapping: mapping.name,
            source: (planned.source, plan.source.model), destination: planned.destination,
            model: plan.destination.model))
      }
    case .create:
      guard let program = programs[mapping.number] else { throw PolicyProblem.notRunning("the policy program") }
      try exchange(program, mapping, after: lower, upTo: upper, beat: beat)
    case .endCreation:
      try telling(mapping, nil) { try programs[mapping.number]?.finish() }
      programs[mapping.number] = nil
      stateful.remove(mapping.number)
    case .relate: try link(mapping, isLast: false, beat: beat)
    case .endRelations, .validate, .end, .finish: break
    }
  }

  /// Throws what the program did with the entity mapping's name.
  private func telling(_ mapping: MigrationEntityMapping, _ object: String?, _ work: () throws -> Void) throws {
    do {
      try work()
      try manager.destinationContext.raise()
    } catch let error as PolicyProgramError where error.reason == .stopped {
      throw StepFailure.stopped
    } catch let error as SQLiteError where !error.isFunctionError {
      throw error
    } catch {
      var words: [String] = []
      if case .program(let own)? = mapping.mapping.policy { words = own }
      throw StepFailure.policy(
        mapping: mapping.name, policy: "program \(words.joined(separator: " "))", method: nil, object: object,
        reason: "\(error)")
    }
  }

  // MARK: Objects

  private func exchange(
    _ program: PolicyProgram, _ mapping: MigrationEntityMapping, after lower: Int64, upTo upper: Int64,
    beat: () -> Void
  ) throws {
    let compiled = try compiled(mapping.number)
    var (lower, given, filtered, leftOut) = (lower, 0, 0, 0)
    while true {
      let rows = try database.rows(
        compiled.rows, [.integer(lower), .integer(upper), .integer(Int64(Self.batch))])
      var batch = PolicyProgramBatch(source: [])
      var bytes = 0
      var isCut = false
      for row in rows {
        guard let key = row.first?.integer else { continue }
        if bytes > Self.batchBytes {
          isCut = true
          break
        }
        lower = key
        let object = source.reader.object(entity: compiled.mapping.source, key: key)
        var isTaken = row.last?.integer != 0
        do {
          if isTaken, let filter = compiled.filter,
            let own = source.object(
              entity: compiled.mapping.source, key: key, known: object, in: manager.sourceContext)
          {
            isTaken = try filter.holds(in: evaluation(own))
          }
          if isTaken {
            let one = try sent(object)
            bytes += one.bytes
            batch.source.append(one)
          } else {
            filtered += 1
          }
        } catch let error as SQLiteError where !error.isFunctionError {
          throw error
        } catch {
          // The program has not seen the row.
          throw StepFailure.badValue(work: mapping.name, reason: "object \(object.label): \(error)")
        }
      }
      if !batch.source.isEmpty {
        try telling(mapping, nil) { try take(try program.exchange(batch), mapping, compiled) }
        given += batch.source.count
        for object in batch.source
        where try destination.book.destinations(of: object.key, mapping: mapping.number).isEmpty {
          leftOut += 1
        }
      }
      try endBatch()
      beat()
      if rows.count < Self.batch, !isCut { break }
    }
    try counts.add(given, RowCounts.given, mapping: mapping.number)
    try counts.add(filtered, RowCounts.filtered, mapping: mapping.number)
    try counts.add(leftOut, RowCounts.leftOut, mapping: mapping.number)
  }

  /// A source object as a program gets it.
  private func sent(_ object: RowObject) throws -> PolicyProgramBatch.SourceObject {
    var values: [String: Value] = [:]
    for attribute in plan.source.model.attributes(of: object.entity) where !attribute.isTransient {
      values[attribute.name] = try object.value(forKey: attribute.name) ?? .null
    }
    var relationships: [String: [Int64]] = [:]
    for relationship in plan.source.model.relationships(of: object.entity) where !relationship.isTransient {
      let value = try object.value(forKey: relationship.name) ?? .null
      relationships[relationship.name] = (value.members ?? [value]).compactMap { member in
        if case .object(let reference) = member { (reference.object as? RowObject)?.key } else { nil }
      }
    }
    return .init(key: object.key, entity: object.entity, values: values, relationships: relationships)
  }

  private func take(
    _ answer: PolicyProgramAnswer, _ mapping: MigrationEntityMapping, _ compiled: RowMapping
  ) throws {
    var hasKept: Set<Int64> = []
    for made in answer.objects {
      let shape = try destination.shape(of: made.entity)
      if let source = made.source, compiled.mapping.keepsKeys,
        shape.root == compiled.mapping.destinationTable.rootEntity, hasKept.insert(source).inserted
      {
        destination.keptKey = source
      }
      let object = manager.destinationContext.insertObject(ofEntity: made.entity)
      destination.keptKey = nil
      try manager.destinationContext.raise()
      let contents = try destinationContents(object)
      for (name, value) in made.values.sorted(by: { $0.key < $1.key }) {
        guard case .attribute(_, let fit, let index)? = shape.places[name] else {
          throw destination.unknown(name, of: made.entity)
        }
        contents.set(try fit.stored(value), column: index)
      }
      if let source = made.source {
        try destination.book.associate(source, contents.place, mapping: mapping.number, isNew: true)
      }
      if let id = made.id, try !links.name(id, contents.place, mapping: mapping.number) {
        throw RowProblem(property: nil, reason: "the id “\(id)” is there twice")
      }
    }
    for link in answer.links {
      try links.add(
        try end(link.from, mapping), link.relationship, try end(link.to, mapping), mapping: mapping.number)
    }
  }

  private func end(
    _ reference: PolicyProgramAnswer.Reference, _ mapping: MigrationEntityMapping
  ) throws -> ProgramLinks.End {
    switch reference {
    case .made(let id):
      guard let place = try links.key(of: id, mapping: mapping.number) else {
        throw RowProblem(property: nil, reason: "a link names the id “\(id)”, which no object has")
      }
      return .object(place)
    case .source(let key, let name):
      if let name, plan.mappings(named: name).isEmpty { throw PolicyProblem.unknownMapping(name) }
      return .made(of: key, mapping: name)
    }
  }

  // MARK: Links

  /// Sets what can be set of a mapping's links.
  ///
  /// - Parameter isLast: Whether nothing comes any more for which a link could wait.
  private func link(_ mapping: MigrationEntityMapping?, isLast: Bool, beat: () -> Void) throws {
    var place = Int64.min
    while true {
      let some = try links.links(of: mapping?.number, after: place, limit: Self.batch)
      for link in some {
        place = link.place
        guard let owner = mapping ?? mappings[link.mapping] else { continue }
        let from = try objects(link.from, mapping: link.mapping)
        let to = try objects(link.to, mapping: link.mapping)
        guard let (first, target) = Self.ends(from, link.relationship, to) else {
          // Its objects were filtered, or come in a later pass.
          if isLast {
            lostLinks += 1
            try links.remove(link)
          }
          continue
        }
        try telling(owner, "\(first.objectID)") { try set(link.relationship, of: first, to: target) }
        try links.remove(link)
      }
      try endBatch()
      beat()
      if some.count < Self.batch { break }
    }
  }

  /// Of several objects that come of one source object those that the relationship is about, the first where none is.
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

  /// Sets what waited for later passes.
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
