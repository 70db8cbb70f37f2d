package import DecantPasses
internal import DecantStore

/// The work of an inferred step, in which every object keeps its key.
package struct InferredWork: Sendable {
  let pairing: EntityPairing
  let name: String
  private let work: StepWork
  /// The work that fills the tables, without persistent history, if all of them are written anew.
  package let filling: [Work]
  package let checking: [Work]
  let validation: InferredValidation
  package let quarantine: Quarantine?

  package init(
    _ pairing: EntityPairing, name: String, leadingColumns: [String: Set<String>],
    validation: InferredValidation
  ) {
    self.pairing = pairing
    self.name = name
    self.validation = validation
    work = StepWork(pairing, leadingColumns: leadingColumns)
    filling = work.filling()
    checking = work.checking()
    quarantine = validation.quarantine(derived: pairing.destination.tables.flatMap(work.derived))
  }

  /// The work that fills the tables if some of them stay in a copy of the source.
  func filling(_ alteration: Alteration) -> [Work] { work.filling(alteration) }

  /// The pieces of work that have no condition, if some tables stay in a copy of the source.
  package func steadyWork(_ alteration: Alteration) -> [Work] {
    (filling(alteration) + checking).filter { $0.condition == nil }
  }

  /// What the step changes in a copy of the source.
  ///
  /// - Parameter isPlain: Whether a table of the source has the columns of the layout and nothing else.
  package func alteration(isPlain: (String) -> Bool) -> Alteration { Alteration(work, isPlain: isPlain) }
}
