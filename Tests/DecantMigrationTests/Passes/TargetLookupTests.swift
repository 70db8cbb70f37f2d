import DecantSQLite
import Testing

@testable import DecantMigration
@testable import DecantPasses

/// Look-ups of destination keys, in several orders, agree with a plain list.
@Suite struct TargetLookupTests {
  private func database(_ runs: [(mapping: Int, first: Int, length: Int, destination: Int)]) throws
    -> SQLiteDatabase
  {
    let database = try SQLiteDatabase("runs", mode: .memory)
    for table in [Associations.runs, Associations.shared] {
      try database.execute(Associations.workTables[table] ?? "")
    }
    for run in runs {
      try database.execute(
        "INSERT INTO \(Associations.runs) VALUES (\(run.mapping), \(run.first), \(run.length), \(run.destination))"
      )
    }
    return database
  }

  /// Moves the associations of an entity mapping from runs into blocks.
  private func fold(_ mapping: Int, in database: SQLiteDatabase) throws {
    var block: SharedBlock?
    func write() throws {
      guard let block else { return }
      try database.prepare("INSERT INTO \(Associations.shared) VALUES (?, ?, ?, ?)").run([
        .integer(Int64(mapping)), .integer(block.first), .integer(Int64(block.objects)),
        .text(block.destinations),
      ])
    }
    let rows = try database.rows(
      "SELECT first, length, destination FROM \(Associations.runs) WHERE mapping = \(mapping) ORDER BY first")
    for row in rows {
      let (first, length, destination) = (row[0].integer ?? 0, row[1].integer ?? 0, row[2].integer ?? 0)
      for step in 0..<length {
        if block?.takes(first + step) != true {
          try write()
          block = SharedBlock(first: first + step)
        }
        block?.append(first + step, destination + step)
      }
    }
    try write()
    try database.execute("DELETE FROM \(Associations.runs) WHERE mapping = \(mapping)")
  }

  @Test(arguments: ["upwards", "downwards", "anyhow", "twice each"], [false, true])
  func everyKeyOfEveryMappingIsFound(order: String, inBlocks: Bool) throws {
    var runs: [(mapping: Int, first: Int, length: Int, destination: Int)] = []
    var known: [[Int: Int]] = [[:], [:], [:]]
    // Entity mapping 1 has runs of one to four keys. Entity mapping 2 has single keys that share objects. Both have
    // gaps.
    for mapping in 1...2 {
      var first = mapping == 1 ? -3 : 10
      for turn in 0..<900 {
        let length = mapping == 1 ? 1 + turn % 4 : 1
        runs.append((mapping, first, length, 1000 + (mapping == 1 ? turn * 10 : turn % 7)))
        for step in 0..<length { known[mapping][first + step] = runs[runs.count - 1].destination + step }
        first += length + (turn % 5 == 0 ? 3 : 0) + (turn % 90 == 0 ? 20 : 0)
      }
    }
    let database = try database(runs)
    if inBlocks {
      for mapping in 1...2 { try fold(mapping, in: database) }
    }
    let lookup = TargetLookup(blocks: inBlocks ? [1, 2, 3] : [])
    try lookup.register(in: database)
    var keys = Array(-10...4000)
    switch order {
    case "downwards": keys.reverse()
    case "anyhow": keys = keys.indices.map { keys[$0 * 1999 % keys.count] }
    case "twice each": keys = keys.flatMap { [$0, $0] }
    default: break
    }
    let statement = try database.prepare("SELECT \(TargetLookup.target)(?, ?)")
    for key in keys {
      for mapping in 1...2 {
        try statement.bind(.integer(Int64(mapping)), at: 1)
        try statement.bind(.integer(Int64(key)), at: 2)
        #expect(try statement.step())
        let wanted = known[mapping][key].map { SQLiteValue.integer(Int64($0)) } ?? .null
        #expect(statement.value(0) == wanted, "\(mapping): \(key)")
        statement.reset()
      }
    }
    #expect(
      try database.rows("SELECT \(TargetLookup.target)(1, NULL), \(TargetLookup.target)(3, 1)") == [
        [.null, .null]
      ])
    lookup.close()
  }
}
