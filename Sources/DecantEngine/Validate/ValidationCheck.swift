internal import DecantMapping
internal import DecantModel
internal import DecantPasses
internal import DecantSQLite

/// Checks the objects that mapping models have made against the rules of the destination model.
package struct ValidationCheck {
  let plan: PassPlan
  /// The treatment of invalid objects if a mapping model gives none; with `nil`, invalid objects make the step fail.
  let mode: ValidationMode?

  /// The treatment of invalid objects, by destination entity.
  ///
  /// Policies may make objects of entities that aren't a mapping's destination. For such entities the strictest
  /// treatment of all applies.
  var modes: [String: ValidationMode] {
    let stated = plan.mappings.map { ($0.destination, $0.validation ?? mode ?? .fail) }
    let stricter = { (one: ValidationMode, other: ValidationMode) in
      one.strictness > other.strictness ? one : other
    }
    var modes = Dictionary(stated, uniquingKeysWith: stricter)
    guard let strictest = stated.map(\.1).max(by: { $0.strictness < $1.strictness }),
      plan.mappings.contains(where: { $0.mapping.policy != nil })
    else { return modes }
    for entity in plan.destination.model.entities where !entity.isAbstract {
      modes[entity.name] = modes[entity.name] ?? strictest
    }
    return modes
  }

  /// The warnings about invalid objects that may stay, and about rules that can't be checked.
  ///
  /// Objects that may go to quarantine were checked when the quarantine was filled. Of their rules, only predicates on
  /// a relationship's targets are checked again, because these objects may have lost targets to quarantine.
  ///
  /// - Throws: `StepFailure.invalid` if some objects may not stay; `StepFailure.badValue`, `SQLiteError`.
  func warnings(in database: SQLiteDatabase) throws -> [String] {
    var refused: [StepFailure.Invalid] = []
    var reported: [StepFailure.Invalid] = []
    var unchecked: [String] = []
    let look = ValidationFindings(
      layout: plan.destination, database: database, origins: ObjectOrigins(plan: plan, database: database))
    for (entity, mode) in modes.sorted(by: { $0.key < $1.key }) {
      var rules = ValidationRule.rules(of: entity, in: plan.destination) { unchecked.append($0) }
      if mode == .quarantine { rules.removeAll { !$0.isPredicateOnTargets } }
      let found = try look.findings(rules, of: entity)
      if mode == .fail { refused += found } else { reported += found }
    }
    guard refused.isEmpty else { throw StepFailure.invalid(refused, isInferred: false) }
    return reported.map { "\($0); still migrated, but Core Data refuses to save such objects." }
      + unchecked.map { "Not checked: \($0)." }
  }
}

extension ValidationMode {
  var strictness: Int {
    switch self {
    case .report: 0
    case .quarantine: 1
    case .fail: 2
    }
  }
}
