package import DecantPasses
internal import DecantStore

/// The work of an inferred step: every object keeps its key, and each table takes one statement per chunk.
package struct InferredWork: Sendable {
  let pairing: EntityPairing
  /// The name of the inferred mapping model.
  let name: String
  /// The work that fills the tables, without persistent history.
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
    let work = StepWork(pairing, leadingColumns: leadingColumns)
    filling = work.filling()
    checking = work.checking()
    quarantine = validation.quarantine(derived: pairing.destination.tables.flatMap(work.derived))
  }
}
