package import DecantMapping
internal import DecantModel
package import DecantPasses
internal import DecantSQLite

/// Checks the destination model's rules after an inferred step.
///
/// Each check scans the table. So without a `validation` setting only rules that may be new are checked.
package struct InferredValidation {
  let pairing: EntityPairing
  /// The setting of `family.json5`.
  let mode: ValidationMode?
  /// Whether this is the job's last step; only its destination has to obey rules.
  let isLast: Bool
  private let looks: [(entity: String, rules: [ValidationRule])]
  /// Rules that can't be checked; empty without a `validation` setting.
  private let unchecked: [String]

  /// - Parameter isPlanned: Whether the plan has reported the required relationships.
  package init(pairing: EntityPairing, mode: ValidationMode?, isLast: Bool, isPlanned: Bool) {
    self.pairing = pairing
    self.mode = mode
    self.isLast = isLast
    var looks: [(entity: String, rules: [ValidationRule])] = []
    var unchecked: [String] = []
    let choice = RuleChoice(pairing: pairing, mode: mode, isPlanned: isPlanned)
    for pair in isLast ? pairing.pairs : [] {
      let rules = ValidationRule.rules(of: pair.destination, in: pairing.destination) { words in
        if mode != nil { unchecked.append(words) }
      }
      looks.append((pair.destination, rules.filter { choice.isWanted($0, pair) }))
    }
    self.looks = looks
    self.unchecked = unchecked
  }

  /// - Parameter derived: The work that computes derived values again.
  func quarantine(derived: [Work]) -> Quarantine? {
    guard isLast, mode == .quarantine else { return nil }
    let origins = pairing.pairs.map { pair in
      Quarantine.Origin(
        sourceEntity: pair.source,
        statement: "SELECT root, key, key AS source FROM whole.\(Quarantine.refused) "
          + "WHERE entity = \(pair.destinationNumber)")
    }
    return Quarantine(
      Array(Set(pairing.pairs.map(\.destination))), in: pairing.destination, origins: origins, derived: derived)
  }

  /// - Throws: `StepFailure.invalid`, `StepFailure.badValue`, `SQLiteError`.
  func warnings(in database: SQLiteDatabase) throws -> [String] {
    guard isLast else { return [] }
    let look = ValidationFindings(layout: pairing.destination, database: database)
    var found: [StepFailure.Invalid] = []
    for (entity, rules) in looks { found += try look.findings(rules, of: entity) }
    guard mode != .fail || found.isEmpty else { throw StepFailure.invalid(found, isInferred: true) }
    return found.map { "\($0); still migrated, but Core Data refuses to save such objects." }
      + unchecked.map { "Not checked: \($0)." }
  }
}

private struct RuleChoice {
  let pairing: EntityPairing
  let mode: ValidationMode?
  let isPlanned: Bool

  func isWanted(_ rule: ValidationRule, _ pair: EntityPairing.Pair) -> Bool {
    switch mode {
    case .fail: return true
    // The other rules were checked when the quarantine was filled.
    case .quarantine: return rule.isPredicateOnTargets
    case .report: return !isTold(rule)
    case nil: return !isTold(rule) && isNew(rule, pair)
    }
  }

  private func isTold(_ rule: ValidationRule) -> Bool {
    isPlanned && rule.requirement?.allowsNone == false
  }

  /// Whether the source version may lack the rule.
  private func isNew(_ rule: ValidationRule, _ pair: EntityPairing.Pair) -> Bool {
    let model = pairing.destination.model
    if let attribute = model.attribute(rule.property, of: pair.destination) {
      guard let former = former(attribute, pair) else { return false }
      guard former.type == attribute.type else { return true }
      switch rule.part {
      // An inferred mapping fills missing values.
      case .required: return false
      case .minimum: return former.limits.minimum != attribute.limits.minimum
      case .maximum: return former.limits.maximum != attribute.limits.maximum
      case .pattern: return former.limits.regularExpression != attribute.limits.regularExpression
      case .predicate(let predicate):
        return !former.validationPredicates.contains { $0.format == predicate.format }
      }
    }
    guard let relationship = model.relationship(rule.property, of: pair.destination),
      let name = pair.mapping.sourceRelationship(of: rule.property),
      let former = pairing.source.model.relationship(name, of: pair.source)
    else { return rule.part == .required }
    switch rule.part {
    case .required: return former.isOptional
    case .minimum:
      return (former.minimumCount, former.isOptional) != (relationship.minimumCount, relationship.isOptional)
    case .maximum: return former.maximumCount != relationship.maximumCount
    case .predicate(let predicate):
      return !former.validationPredicates.contains { $0.format == predicate.format }
    case .pattern: return false
    }
  }

  private func former(_ attribute: Attribute, _ pair: EntityPairing.Pair) -> Attribute? {
    switch pair.mapping.attributeMappings.first(where: { $0.destinationName == attribute.name })?.value {
    case .source(let name)?, .sourceOrDefault(let name)?:
      pairing.source.model.attribute(name, of: pair.source)
    default: nil
    }
  }
}
