internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantPolicies
internal import DecantPolicyPrograms
internal import DecantSQLite
internal import PredicateFormat

/// Entity mappings that a policy program performs (docs/policy-programs.md).
///
/// A program's memory is lost with its process, so nothing is committed before its last batch. Links are stored in the
/// working file and set in the relate stage. Links to objects of later passes are set after the last pass.
extension RowSession {
  func perform(
    _ action: RowAction, _ words: [String], _ mapping: MigrationEntityMapping, _ planned: PassPlan.Mapping,
    after lower: Int64, upTo upper: Int64, beat: () -> Void
  ) throws {
    place.note(nil)
    switch action {
    case .begin:
      let program = PolicyProgram(
        words: words, folder: folder,
        limits: PolicyProgramLimits(batchSeconds: mapping.mapping.programTimeLimit),
        isStopped: isStopped)
      programs[mapping.number] = program
      stateful.insert(mapping.number)
      try explaining(mapping, nil) {
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
      try explaining(mapping, nil) { try programs[mapping.number]?.finish() }
      programs[mapping.number] = nil
      stateful.remove(mapping.number)
    case .relate: try link(mapping, isLast: false, beat: beat)
    case .pair, .endRelations, .validate, .end, .finish: break
    }
  }

  /// Adds the entity mapping's name to errors of a program's work.
  ///
  /// - Parameters:
  ///   - object: The object of the work.
  ///   - outputPlace: The line of the program's output that is being processed.
  func explaining(
    _ mapping: MigrationEntityMapping, _ object: @autoclosure () -> String?,
    _ outputPlace: ProgramLinks.OutputPlace? = nil,
    _ work: () throws -> Void
  ) throws {
    do {
      try work()
      try manager.destinationContext.raise()
    } catch let error as PolicyProgramError where error.reason == .stopped {
      throw StepFailure.stopped
    } catch let error as SQLiteError where !error.isFunctionError {
      throw error
    } catch let failure as StepFailure {
      throw failure
    } catch {
      var words: [String] = []
      if case .program(let own)? = mapping.mapping.policy { words = own }
      let reason = (error as? PolicyProgramError).map { "it \($0.deed)" } ?? "\(error)"
      throw StepFailure.policy(
        pass: manager.mappingModel.name, mapping: mapping.name, policy: Self.name(ofProgram: words),
        method: nil, object: object(),
        reason: (outputPlace.map { "\($0): " } ?? "") + reason)
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
      let reader = try reading(compiled)
      let reading = reader.batches
      let rows = try reader.next(after: lower, upTo: upper)
      var batch = PolicyProgramBatch(source: [])
      var bytes = 0
      var isCut = false
      for row in 0..<rows.count {
        if bytes > BatchSize.bytes {
          isCut = true
          break
        }
        let key = rows.key(row)
        lower = key
        let object = reading.object(row, of: rows)
        var isTaken = rows.flag(row)
        do {
          if isTaken, let filter = compiled.filter,
            let own = source.object(of: object)
          {
            isTaken = try faulting(.filter, filter, compiled.mapping, object.label) {
              try filter.holds(in: evaluation(own))
            }
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
        } catch let fault as ExpressionFault {
          throw StepFailure.expression(fault)
        } catch {
          // The program hasn't received the row, so this isn't a failure of the program.
          throw StepFailure.badValue(
            place: plan.words(for: compiled.mapping), reason: "object \(object.label): \(error)")
        }
      }
      if !batch.source.isEmpty {
        place.note(batch: "batch \(program.batches + 1) (\(batch.label))")
        try explaining(mapping, nil) {
          try take(try program.exchange(batch), of: batch, number: program.batches, mapping, compiled)
        }
        given += batch.source.count
        for object in batch.source
        where try destination.book.destinations(of: object.key, mapping: mapping.number).isEmpty {
          leftOut += 1
        }
      }
      try endBatch()
      beat()
      if rows.isLast, !isCut { break }
    }
    try counts.add(given, RowCounts.given, mapping: mapping.number)
    try counts.add(filtered, RowCounts.filtered, mapping: mapping.number)
    try counts.add(leftOut, RowCounts.leftOut, mapping: mapping.number)
  }

  /// A source object in the form in which a program receives it.
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
    _ answer: PolicyProgramAnswer, of batch: PolicyProgramBatch, number: Int, _ mapping: MigrationEntityMapping,
    _ compiled: RowMapping
  ) throws {
    var hasKept: Set<Int64> = []
    for made in answer.objects {
      let keepsKey =
        try compiled.mapping.keepsKeys
        && destination.shape(of: made.entity).root == compiled.mapping.destinationTable.rootEntity
      let key = made.source.flatMap { keepsKey && hasKept.insert($0).inserted ? $0 : nil }
      let outputPlace = ProgramLinks.OutputPlace(batch: number, line: made.line)
      try explaining(mapping, made.source.flatMap { batch.label($0) }, outputPlace) {
        try make(made, keeping: key, mapping)
      }
    }
    for link in answer.links {
      let outputPlace = ProgramLinks.OutputPlace(batch: number, line: link.line)
      try explaining(mapping, label(link.from, mapping) ?? label(link.to, mapping), outputPlace) {
        try links.add(
          try end(link.from, mapping), link.relationship, try end(link.to, mapping), mapping: mapping.number,
          outputPlace)
      }
    }
  }

  private func make(
    _ made: PolicyProgramAnswer.Object, keeping key: Int64?, _ mapping: MigrationEntityMapping
  ) throws {
    let shape = try destination.shape(of: made.entity)
    destination.keptKey = key
    let object = manager.destinationContext.insertObject(ofEntity: made.entity)
    destination.keptKey = nil
    try manager.destinationContext.raise()
    let contents = try destinationContents(object)
    for (name, value) in made.values.sorted(by: { $0.key < $1.key }) {
      guard case .attribute(let stored)? = shape.places[name] else {
        throw destination.unknown(name, of: made.entity)
      }
      contents.set(try stored.fit.stored(value), column: stored.index)
    }
    if let source = made.source {
      try destination.book.associate(source, contents.place, mapping: mapping.number, isNew: true)
    }
    if let id = made.id, try !links.name(id, contents.place, mapping: mapping.number) {
      throw RowProblem(reason: "the id “\(id)” is there twice")
    }
  }
}
