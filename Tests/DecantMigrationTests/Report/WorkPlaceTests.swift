import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("The place of the work in a record") struct WorkPlaceTests {
  @Test func aPlaceIsReadAsItWasWritten() {
    let place = WorkPlace(
      pass: "Uno", entityMapping: "NotaToNota", policy: "NotaPolicy", method: "begin", object: "Nota/p1")
    // Remains of a longer record don't matter.
    #expect(WorkPlace(record: place.record + Array("left over\n".utf8)) == place)
    let bare = WorkPlace(pass: "a\u{1f}b\nc", entityMapping: "é")
    #expect(WorkPlace(record: bare.record) == WorkPlace(pass: "a b c", entityMapping: "é"))
    #expect(WorkPlace(record: WorkPlace.nowhere) == nil && WorkPlace(record: [UInt8]()) == nil)
    let long = WorkPlace(pass: String(repeating: "x", count: 100_000), entityMapping: "m")
    #expect(long.record.count <= WorkPlace.recordLimit)
    #expect(WorkPlace(record: long.record)?.entityMapping == "m")
  }

  @Test func aCheckOfTheWholeStepIsNoEntityMapping() {
    let check = WorkPlace(pass: "Uno", entityMapping: "pairs of relationships", method: "validate")
    #expect(check.words == "the search for pairs of objects that no relationship connects any more")
    let mapping = WorkPlace(pass: "Uno", entityMapping: "NotaToNota", method: "validate")
    #expect(mapping.words == "entity mapping “NotaToNota” (pass “Uno”), validate")
  }

  @Test func detailsInOneLineHaveNoPointsBeforeOtherMarks() {
    let failure = MigrationFailure(
      .needsPolicy, message: "Code is missing:", details: ["A is missing.", "B is missing."],
      advice: "Add both.")
    #expect("\(failure)" == "Code is missing: A is missing; B is missing. Add both.")
  }
}
