internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantSQLite
internal import DecantStore

/// Pairs that the destination loses because an object keeps one target, while it has several in the source.
struct DisplacedPairs {
  let pairing: EntityPairing
  let origins: StoreOrigins
  let step: Int
  /// The store's layout, which is the layout of the first step's source.
  let layout: StoreLayout

  init(_ pairing: EntityPairing, origins: StoreOrigins, step: Int, layout: StoreLayout) {
    self.pairing = pairing
    self.origins = origins
    self.step = step
    self.layout = layout
  }

  /// A relationship of the store, with the statements that count its losses.
  struct Question: Sendable {
    let property: StoreLayout.Property
    /// Each statement gives a number; the numbers are added.
    let statements: [String]
  }

  static func losses(_ questions: [Question], in store: SourceStore) throws(StoreError)
    -> [MigrationReport.Loss]
  {
    var losses: [MigrationReport.Loss] = []
    for question in questions {
      var values = 0
      for statement in question.statements {
        values += try store.rows(statement).first?.first?.integer.flatMap { Int(exactly: $0) } ?? 0
      }
      guard values > 0 else { continue }
      losses.append(
        .init(
          kind: .relationship, entity: question.property.entity, property: question.property.name,
          values: values, cause: .fewerTargets))
    }
    return losses
  }

  /// The losses to count; they follow from layouts and mappings alone.
  func questions() -> [Question] {
    var questions = unionQuestions()
    for ends in StepWork(pairing, leadingColumns: [:]).endsFilledLate() {
      var former: StoreLayout.Property?
      var storages: [RelationshipStorage] = []
      for end in ends {
        guard let pairs = origins.pairs(of: end.name, entity: end.entity, step: step),
          let storage = RelationshipStorage(of: pairs.name, entity: pairs.entity, in: layout)
        else { continue }
        former = former ?? layout.property(pairs.name, of: pairs.entity)
        let seen = pairs.isReversed == end.isReversed ? storage : storage.reversed
        if !storages.contains(seen) { storages.append(seen) }
      }
      guard let former else { continue }
      let statements = storages.map { storage in
        "SELECT count(*) - count(DISTINCT \(quoted(storage.owner))) FROM \(quoted(storage.table)) "
          + "WHERE \(quoted(storage.owner)) IS NOT NULL AND \(quoted(storage.target)) IS NOT NULL"
      }
      questions.append(Question(property: former, statements: statements))
    }
    return questions
  }
}
