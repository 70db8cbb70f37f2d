import DecantMapping
import DecantSQLite
import Testing

@testable import DecantMigration
@testable import DecantPasses
@testable import DecantRows

/// The associations of a run row by row, compared with a plain list.
@Suite("Policies: associations in runs and pairs") struct AssociationBookTests {
  private typealias Item = (source: Int64, destination: RowKey)

  private let shop: Workshop
  private let database: SQLiteDatabase
  private let plan: PassPlan

  init() throws {
    shop = try Workshop("Note\n text String?", "Note\n text String?\n more String?\nTag\n text String?")
    try shop.map("{ source: \"Note\", destination: \"Note\" }")
    let file = shop.catalogue.appendingPathComponent("Notes/Step.mapping.json5")
    let model = try MappingModelReading.read(at: file).compiled(
      from: try shop.model("V1"), to: try shop.model("V2"))
    plan = try passPlan(model, shop)
    database = try SQLiteDatabase(shop.folder.path("book.sqlite"), mode: .create)
    for statement in Associations.workTables.values { try database.execute(statement) }
  }

  private func words(_ items: [Item]) -> [String] {
    items.map { "\($0.source) \($0.destination.root)#\($0.destination.key)" }
  }

  /// Writes runs with and without gaps, and pairs inside and beside the runs.
  ///
  /// Returns the same associations as a list.
  private func fill() throws -> [Item] {
    try database.execute(
      """
      INSERT INTO \(Associations.runs) VALUES (1, 3, 4, 10), (1, 7, 1, 40), (1, 20, 5, 50), (2, 1, 90, 1);
      INSERT INTO \(Associations.pairs) VALUES (1, 1, 1, 7), (1, 4, 1, 2), (1, 4, 2, 3), (1, 4, 1, 99), (1, 22, 1, 1),
        (1, 30, 2, 1), (1, 30, 2, 2);
      """)
    let runs: [Item] = [(3, 4, 10), (7, 1, 40), (20, 5, 50)].flatMap { first, length, key in
      (0..<length).map { (Int64(first + $0), RowKey(root: "Note", key: Int64(key + $0))) }
    }
    let pairs: [Item] = [
      (1, "Note", 7), (4, "Note", 2), (4, "Tag", 3), (4, "Note", 99), (22, "Note", 1), (30, "Tag", 1),
      (30, "Tag", 2),
    ].map { (Int64($0.0), RowKey(root: $0.1, key: Int64($0.2))) }
    return (runs + pairs).sorted {
      ($0.source, $0.destination.root, $0.destination.key) < (
        $1.source, $1.destination.root, $1.destination.key
      )
    }
  }

  @Test func everyRangeGivesWhatItHasInOrderAndNoMore() throws {
    let all = try fill()
    let book = try AssociationBook(database, plan: plan)
    let bounds: [Int64] = [.min] + Array(0...31) + [.max]
    for lower in bounds {
      for upper in bounds {
        for limit in [1, 2, 3, 7, .max] {
          let found = try book.associations(mapping: 1, after: lower, upTo: upper, limit: limit)
          let wanted = all.filter { $0.source > lower && $0.source <= upper }.prefix(limit)
          #expect(words(found) == words(Array(wanted)), "after \(lower) up to \(upper), \(limit)")
        }
      }
    }
  }

  @Test func whatABatchDoesNotAskForIsNotLookedAt() throws {
    // Reading these runs key by key would take forever.
    try database.execute(
      "INSERT INTO \(Associations.runs) VALUES (1, 1, \(Int64.max / 4), 5), (1, \(Int64.max / 2), \(Int64.max / 4), 5)"
    )
    let book = try AssociationBook(database, plan: plan)
    let found = try book.associations(mapping: 1, after: 1000, upTo: .max, limit: 2)
    #expect(words(found) == ["1001 Note#1005", "1002 Note#1006"])
  }

  @Test func sourcesOfOneObjectComePageByPage() throws {
    let shared = RowKey(root: "Note", key: 40)
    // Object 40 is inside a run of several keys, at the start of two other runs, in pairs, and in the unwritten batch.
    try database.execute(
      """
      INSERT INTO \(Associations.runs) VALUES (1, 3, 4, 38), (1, 9, 1, 40), (1, 11, 1, 40);
      INSERT INTO \(Associations.pairs) VALUES (1, 1, 1, 40), (1, 8, 1, 40), (1, 8, 2, 40);
      """)
    let book = try AssociationBook(database, plan: plan)
    try book.associate(10, shared, mapping: 1, isNew: false)
    #expect(try book.sources(of: shared, mapping: 1) == [1, 5, 8, 9, 10, 11])
    for size in 1...7 {
      var found: [Int64] = []
      while true {
        let page = try book.sources(of: shared, mapping: 1, after: found.last, limit: size)
        #expect(page.count <= size)
        if page.isEmpty { break }
        found += page
      }
      #expect(found == [1, 5, 8, 9, 10, 11])
    }
  }
}
