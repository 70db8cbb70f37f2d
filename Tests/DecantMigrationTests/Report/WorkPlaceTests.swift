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
}
