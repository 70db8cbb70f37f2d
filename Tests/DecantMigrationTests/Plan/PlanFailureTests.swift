import DecantCatalogue
import DecantMapping
import Testing

@testable import DecantMigration

@Suite("Failures of planning") struct PlanFailureTests {
  @Test func aRefusalBecomesAFailureOfTheJob() throws {
    let error = PlanError.notInferable(
      source: "A", destination: "B", .toManyBecameToOne(entity: "E", relationship: "r", formerly: "r"))
    let failure = error.failure(family: "Notas")
    #expect(failure.reason == .notInferable && failure.exitCode == 65 && failure.family == "Notas")
    #expect(failure.coreDataCode == 134190)
    #expect(
      failure.description
        == "The step from “A” to “B” can't be inferred: entity “E”: relationship “r” changes from to-many to to-one. "
        + "Write a mapping model for these versions.")
  }
}
