import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("The place of the work in a record") struct WorkPlaceTests {
  @Test func aPlaceIsReadAsItWasWritten() {
    let place = WorkPlace(
      pass: "Uno", entityMapping: "NotaToNota", policy: "NotaPolicy", method: "begin", object: "Nota/p1")
    // Bytes of an earlier, longer record may follow.
    #expect(WorkPlace(record: place.record + Array("left over\n".utf8)) == place)
    let bare = WorkPlace(pass: "a\u{1f}b\nc", entityMapping: "é")
    #expect(WorkPlace(record: bare.record) == WorkPlace(pass: "a b c", entityMapping: "é"))
    #expect(WorkPlace(record: WorkPlace.nowhere) == nil && WorkPlace(record: [UInt8]()) == nil)
    let long = WorkPlace(pass: String(repeating: "x", count: 100_000), entityMapping: "m")
    #expect(long.record.count <= WorkPlace.recordLimit)
    #expect(WorkPlace(record: long.record)?.entityMapping == "m")
  }

  @Test func aCheckOfTheWholeStepIsNoEntityMapping() {
    var progress = MigrationProgress(
      step: 1, steps: 1, sourceVersion: "A", destinationVersion: "B", pass: 1, passes: 1, passName: "Uno",
      stage: .validate, entityMapping: "quarantine")
    #expect(WorkPlace(progress)?.words == "the writing of the quarantine")
    // An entity mapping may be named “quarantine”, too.
    progress.kind = "validate"
    #expect(WorkPlace(progress)?.words == "entity mapping “quarantine” (pass “Uno”), validate")
    let record = WorkPlace(pass: "Uno", entityMapping: "quarantine", method: "validate").record
    #expect(WorkPlace(record: record)?.words == "entity mapping “quarantine” (pass “Uno”), validate")
  }

  @Test func detailsInOneLineHaveNoPointsBeforeOtherMarks() {
    let failure = MigrationFailure(
      .needsPolicy, message: "Code is missing:", details: ["A is missing.", "B is missing."],
      advice: "Add both.")
    #expect("\(failure)" == "Code is missing: A is missing; B is missing. Add both.")
  }
}
