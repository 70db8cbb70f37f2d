internal import DecantMapping
internal import DecantStore

/// The work of an entity mapping that runs row by row: the calls of its policy, in Core Data's order.
struct RowWork {
  private let mapping: PassPlan.Mapping

  init(_ mapping: PassPlan.Mapping) {
    self.mapping = mapping
  }

  var begin: Work { once(.begin(mapping.number), .create) }

  var creating: [Work] {
    [chunks(.create(mapping.number), .create), once(.endCreation(mapping.number), .create)]
  }

  var relating: [Work] {
    [chunks(.relate(mapping.number), .relate), once(.endRelations(mapping.number), .relate)]
  }

  var ending: [Work] {
    [once(.validate(mapping.number), .validate), once(.end(mapping.number), .validate)]
  }

  private func once(_ action: RowAction, _ stage: MigrationProgress.Stage) -> Work {
    Work(mapping.mapping.name, stage: stage, action: action, pass: mapping.pass)
  }

  private func chunks(_ action: RowAction, _ stage: MigrationProgress.Stage) -> Work {
    Work(
      mapping.mapping.name, stage: stage, extent: .chunks(table: mapping.sourceTable.name, key: "Z_PK"),
      action: action, pass: mapping.pass)
  }
}
