internal import DecantMapping

/// One statement over a step's source that counts what the mapping models of the step lose.
struct LossQuestion {
  /// What a column of the statement counts.
  struct Item: Hashable {
    let kind: MigrationReport.Loss.Kind
    let entity: String
    let property: String
    let cause: MigrationReport.Loss.Cause
  }

  /// One for each column of the statement's only row.
  let items: [Item]
  let statement: String
  /// The entity mappings whose expressions the statement has.
  let mappings: [PassPlan.Mapping]
}

/// A loss that can't be counted beforehand.
struct UncountedLoss {
  let item: LossQuestion.Item
  let reason: String
}

/// What the mapping models of a step lose of objects that they take, as far as the source's rows decide it.
///
/// Pairs are looked for when the step ends: `PairQuestions`.
struct MappedLosses {
  private(set) var questions: [LossQuestion] = []
  private(set) var uncounted: [UncountedLoss] = []

  init(_ plan: PassPlan, _ models: [MappingModel], _ unread: UnreadProperties) {
    let rows = TakenRows(plan)
    for found in [
      PartlyRead(rows, models, unread.readers).found, SharedValues(rows, unread.readers).found,
      LostOrder(rows, models, unread.readers).found,
    ] {
      questions += found.questions
      uncounted += found.uncounted
    }
  }

  /// The questions of one kind of loss.
  struct Found {
    var questions: [LossQuestion] = []
    var uncounted: [UncountedLoss] = []
  }
}
