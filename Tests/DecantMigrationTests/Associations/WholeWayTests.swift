import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration

/// Runs, pairs and blocks of several steps are combined, with all kinds of overlaps.
@Suite("Kept associations: the whole way") struct WholeWayTests {
  private func compose(_ sql: String, steps: Int = 2) throws -> [String] {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("a.sqlite")
    try KeptAssociations.make(at: file.path)
    do {
      let database = try SQLiteDatabase(file.path, mode: .readWrite)
      for step in 1...steps {
        try database.execute(
          "INSERT INTO steps VALUES (\(step), 'A', 'B', 0.0); "
            + "INSERT INTO mappings VALUES (\(step), 1, 1, 'p', 'm\(step)', 'E', 'E', 'set', NULL)")
      }
      try database.execute(sql)
      // Writing a second time gives the same result.
      for _ in 0..<2 {
        try database.transaction { () throws(SQLiteError) in
          try WholeWay(database: database, steps: steps).write()
        }
      }
    }
    return try PlainSQLite.rows(file, "SELECT source_key, destination_key FROM associations ORDER BY 1, 2")
  }

  @Test func runsMeetInPart() throws {
    #expect(
      try compose(
        "INSERT INTO runs VALUES (1, 1, 1, 5, 11), (1, 1, 10, 2, 30), (2, 1, 9, 3, 109), (2, 1, 13, 1, 200), (2, 1, 15, 9, 300), (2, 1, 31, 1, 7)"
      ) == ["1|111", "3|200", "5|300", "11|7"])
  }

  @Test func pairsMeetRunsAndPairs() throws {
    #expect(
      try compose(
        "INSERT INTO runs VALUES (1, 1, 1, 3, 1), (2, 1, 50, 2, 70); INSERT INTO pairs VALUES (1, 1, 'E', 8, 'E', 51), (1, 1, 'E', 8, 'E', 2), (2, 1, 'E', 2, 'E', 90), (2, 1, 'E', 2, 'E', 91)"
      ) == ["2|90", "2|91", "8|71", "8|90", "8|91"])
  }

  @Test func blocksMeetRunsPairsAndBlocks() throws {
    // `runs` has the same associations as `blocks`, in runs of length 1.
    let blocks =
      "INSERT INTO shared VALUES (1, 1, 3, 3, '[7,null,8,7]'), (1, 1, 20, 1, '[40]'), (2, 1, 7, 2, '[70,80]'), "
      + "(3, 1, 70, 1, '[5]'), (3, 1, 80, 1, '[5]');"
    let runs =
      "INSERT INTO runs VALUES (1, 1, 3, 1, 7), (1, 1, 5, 1, 8), (1, 1, 6, 1, 7), (1, 1, 20, 1, 40), (2, 1, 7, 1, 70), "
      + "(2, 1, 8, 1, 80), (3, 1, 70, 1, 5), (3, 1, 80, 1, 5);"
    let others =
      "INSERT INTO runs VALUES (1, 1, 30, 2, 7), (2, 1, 39, 5, 90); INSERT INTO pairs VALUES (1, 1, 'E', 9, 'E', 8), "
      + "(2, 1, 'E', 40, 'E', 70);"
    #expect(
      try compose(blocks + others) == [
        "3|70", "5|80", "6|70", "9|80", "20|70", "20|91", "30|70", "31|80",
      ])
    for steps in 2...3 {
      #expect(try compose(blocks + others, steps: steps) == compose(runs + others, steps: steps))
    }
  }

  @Test func everyKeyThroughThreeSteps() throws {
    // Each step has runs of its own length and shifts the keys. The test combines `map` key by key.
    func runs(_ step: Int, _ length: Int, _ shift: (Int) -> Int) -> (sql: String, map: [Int: Int]) {
      var values: [String] = []
      var map: [Int: Int] = [:]
      for first in stride(from: 1, through: 60, by: length) where first % 7 != 0 {
        values.append("(\(step), 1, \(first), \(length), \(shift(first)))")
        for offset in 0..<length { map[first + offset] = shift(first) + offset }
      }
      return ("INSERT INTO runs VALUES \(values.joined(separator: ", "));", map)
    }
    let one = runs(1, 3) { $0 + 2 }
    let two = runs(2, 4) { ($0 * 4) % 53 + 1 }
    let three = runs(3, 5) { 1000 - $0 * 5 }
    let found = try compose(one.sql + two.sql + three.sql, steps: 3)
    var expected: [String] = []
    for (key, value) in one.map.sorted(by: { $0.key < $1.key }) {
      if let second = two.map[value], let last = three.map[second] { expected.append("\(key)|\(last)") }
    }
    #expect(found == expected && expected.count > 20)
  }
}
