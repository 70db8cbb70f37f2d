internal import DecantMapping
internal import DecantModel
internal import DecantReport
internal import DecantStore

/// The work of an entity mapping that runs row by row: the calls of its policy, in Core Data's order.
struct RowWork {
  private let plan: PassPlan
  private let mapping: PassPlan.Mapping

  init(_ plan: PassPlan, _ mapping: PassPlan.Mapping) {
    self.plan = plan
    self.mapping = mapping
  }

  var begin: Work { once(.begin(mapping.number), .create) }

  var creating: [Work] {
    [chunks(.create(mapping.number), .create), once(.endCreation(mapping.number), .create)]
  }

  var relating: [Work] {
    // A program's links are one list for all objects, so they aren't cut into chunks.
    if case .program? = mapping.mapping.policy { return [once(.relate(mapping.number), .relate)] }
    return [chunks(.relate(mapping.number), .relate)] + pairing
      + [once(.endRelations(mapping.number), .relate)]
  }

  /// The work that writes pairs in the order of their join tables, where this is possible.
  private var pairing: [Work] {
    let joins = LateLinks(plan, mapping)?.joins ?? []
    return joins.enumerated().compactMap { place, join in
      join.ordered?.work(action: .pair(mapping.number, place))
    }
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
    var work = Work(
      name, stage: stage, extent: .chunks(table: mapping.sourceTable.name, key: "Z_PK"), action: action,
      pass: mapping.pass, chunkRows: mapping.chunkRows, finding: finding)
    work.filter = mapping.mapping.filter.map { "\($0)" }
    return work
  }

  private static func finding(_ count: Int, mapping: String) -> String {
    "“\(mapping)” replaced pairs that another entity mapping, the other end or another object had set: "
      + "\(count == 1 ? "once" : counted(count, "time"))."
  }
}
