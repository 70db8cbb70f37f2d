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
    // A program's links are one list.
    if case .program? = mapping.mapping.policy { return [once(.relate(mapping.number), .relate)] }
    return [chunks(.relate(mapping.number), .relate), once(.endRelations(mapping.number), .relate)]
  }

  var ending: [Work] {
    [once(.validate(mapping.number), .validate), once(.end(mapping.number), .validate)]
  }

  private func once(_ action: RowAction, _ stage: MigrationProgress.Stage) -> Work {
    Work(mapping.mapping.name, stage: stage, action: action, pass: mapping.pass)
  }

  private func chunks(_ action: RowAction, _ stage: MigrationProgress.Stage) -> Work {
    let name = mapping.mapping.name
    var finding: (@Sendable (Int) -> String)?
    if stage == .relate { finding = { count in Self.finding(count, mapping: name) } }
    return Work(
      name, stage: stage, extent: .chunks(table: mapping.sourceTable.name, key: "Z_PK"), action: action,
      pass: mapping.pass, chunkRows: mapping.chunkRows, finding: finding)
  }

  private static func finding(_ count: Int, mapping: String) -> String {
    "\(count) \(count == 1 ? "pair" : "pairs") that another entity mapping, the other end or another object had set "
      + "gave way to what “\(mapping)” says later."
  }
}
