package import DecantMapping
package import DecantReport

/// One statement over a step's source that counts what the mapping models of the step lose.
package struct LossQuestion {
  /// What a column of the statement counts.
  package struct Item: Hashable {
    package let kind: MigrationReport.Loss.Kind
    package let entity: String
    package let property: String
    package let cause: MigrationReport.Loss.Cause
  }

  /// One item for each column of the statement's only row.
  package let items: [Item]
  package let statement: String
  /// The entity mappings whose filters, `uniqueBy` or other expressions the statement contains.
  package let mappings: [PassPlan.Mapping]
}

/// A loss that can't be counted beforehand.
package struct UncountedLoss {
  package let item: LossQuestion.Item
  package let reason: String
}

/// The losses in objects that the mapping models of a step take, as far as the source alone shows them.
///
/// Lost pairs are found when the step ends (`PairQuestions`).
package struct MappedLosses {
  package private(set) var questions: [LossQuestion] = []
  package private(set) var uncounted: [UncountedLoss] = []

  package init(_ plan: PassPlan, _ models: [MappingModel], _ unread: UnreadProperties) {
    let rows = TakenRows(plan)
    for found in [
      PartlyRead(rows, models, unread.readers).found, SharedValues(rows, unread.readers).found,
      LostOrder(rows, models, unread.readers).found, UnparsedValues(rows, unread.readers).found,
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
