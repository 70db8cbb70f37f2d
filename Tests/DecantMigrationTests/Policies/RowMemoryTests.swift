import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantRows

/// Compact records of a run row by row: keys as runs, the place of the work as digits.
@Suite("Policies: records of rows") struct RowMemoryTests {
  @Test func keysComeBackInTheirOrder() {
    let numbers: [(Int64, String)] = [
      (1, "A"), (2, "A"), (3, "A"), (5, "A"), (6, "B"), (7, "B"), (7, "B"), (1, "A"), (0, "A"),
    ]
    let places = numbers.map { RowKey(root: $0.1, key: $0.0) }
    for count in 0...places.count {
      var runs = KeyRuns()
      for place in places.prefix(count) { runs.append(place) }
      #expect(runs.count == count)
      #expect(Array(runs.keys) == Array(places.prefix(count)))
    }
  }

  @Test func aKeyIsWrittenOverALongerOne() throws {
    var record = WorkPlace(pass: "p", entityMapping: "m", policy: "c", method: "f").head
    WorkPlace.add("Note/p", to: &record)
    let place = record.count
    record += Array(repeating: 0, count: WorkPlace.keyLimit + 1)
    var keys: [Int64] = [.max, .min, 0, 9, 10, 99, 100, -1, -10, 1_000_000]
    keys += (0..<18).map { Int64(repeatElement("9", count: $0 + 1).joined()) ?? 0 }
    for key in keys {
      WorkPlace.put(key, into: &record, at: place)
      #expect(WorkPlace(record: record)?.object == "Note/p\(key)")
    }
  }
}
