package import DecantMapping
package import DecantPasses
internal import DecantStore

/// The work of a step that runs mapping models.
package struct MappedWork: Sendable {
  let plan: PassPlan
  let models: [MappingModel]
  package let ways: [EntityMappingWork]
  let goesByRows: Bool
  package let filling: [Work]
  package let checking: [Work]
  let validation: ValidationCheck
  package let quarantine: Quarantine?
  /// The relationships whose pairs are looked for when the step ends.
  package let pairQuestions: [PairQuestion]

  /// - Parameters:
  ///   - models: The mapping models, one for each pass.
  ///   - readers: What reads the properties of the source version.
  ///   - validation: The treatment of invalid objects if a mapping model gives none.
  ///   - byRows: Whether everything runs row by row.
  package init(
    _ plan: PassPlan, models: [MappingModel], readers: SourceReaders, validation: ValidationMode?,
    byRows: Bool = false
  ) {
    let check = ValidationCheck(plan: plan, mode: validation)
    quarantine = PassQuarantine(plan: plan).quarantine(
      of: check.modes, derived: PassWork(plan, ways: []).derived())
    var plan = plan
    plan.hasBlocks = quarantine == nil
    var ways = plan.mappings.map { EntityMappingWork(plan, $0, byRows: byRows) }
    goesByRows = ways.contains(where: \.goesByRows)
    if goesByRows, plan.hasBlocks {
      plan.hasBlocks = false
      ways = plan.mappings.map { EntityMappingWork(plan, $0, byRows: byRows) }
    }
    self.plan = plan
    self.models = models
    self.ways = ways
    self.validation = check
    pairQuestions = PairQuestions(plan, models, readers).all
    let work = PassWork(plan, ways: ways)
    filling = work.filling()
    checking = work.checking()
  }
}
