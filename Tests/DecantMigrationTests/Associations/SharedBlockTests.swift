import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantPasses

/// Many-to-one associations in blocks are read as they were written, and equal those of a run row by row.
@Suite("Shared objects: blocks") struct SharedBlockTests {
  /// Writes associations in order, as the create stage does.
  ///
  /// A chunk ends its last block, and the next chunk continues that block.
  private static func blocks(_ pairs: [(Int64, Int64)], chunk: Int) throws -> [SharedBlock] {
    var written: [SharedBlock] = []
    for start in stride(from: 0, to: pairs.count, by: chunk) {
      var open = try written.popLast().map { last in
        try #require(SharedBlock(first: last.first, destinations: last.destinations))
      }
      for (source, destination) in pairs[start..<min(start + chunk, pairs.count)] {
        if let full = open, !full.takes(source) {
          written.append(full)
          open = nil
        }
        var block = open ?? SharedBlock(first: source)
        block.append(source, destination)
        open = block
      }
      if let open { written.append(open) }
    }
    return written
  }

  private static func unfolded(_ blocks: [SharedBlock]) -> [[Int64]] {
    blocks.flatMap { block in
      (SharedBlock.keys(block.destinations) ?? []).enumerated().compactMap { place, key in
        key.map { [block.first + Int64(place), $0] }
      }
    }
  }

  @Test("a block that ends with the largest key can be read again, and accepts no further key")
  func lastKey() throws {
    var block = SharedBlock(first: .max - 1)
    block.append(.max - 1, 7)
    block.append(.max, 8)
    let again = try #require(SharedBlock(first: .max - 1, destinations: block.destinations))
    #expect(again == block)
    #expect(!again.takes(.max))
    #expect(SharedBlock(first: .max, destinations: "[1,2]") == nil)
  }

  @Test("the blocks are the same for every chunk size, and hold every pair", arguments: [1, 7, 100, 1_000_000])
  func chunks(chunk: Int) throws {
    var key: Int64 = -700
    var pairs: [(Int64, Int64)] = [(.min, .min), (.min + 2, .max)]
    for turn in 0..<2_000 {
      pairs.append((key, Int64(turn % 5 == 0 ? turn * 1_000_003 : turn % 13)))
      key += turn % 11 == 0 ? Int64(turn % 400) + 1 : 1
    }
    pairs += [(.max - 3, 5), (.max, 1)]
    let blocks = try Self.blocks(pairs, chunk: chunk)
    #expect(Self.unfolded(blocks.dropLast()) + Self.unfolded(blocks.suffix(1)) == pairs.map { [$0.0, $0.1] })
    #expect(blocks == (try Self.blocks(pairs, chunk: 64)))
    #expect(blocks.map(\.objects).reduce(0, +) == pairs.count)
    #expect(blocks.count < pairs.count / 4 && blocks.allSatisfy { $0.destinations.utf8.count < 8192 })
    // SQLite's `json_each` reads the same associations.
    let database = try SQLiteDatabase("json", mode: .memory)
    for block in blocks.prefix(20) {
      #expect(
        try database.rows(
          "SELECT key, value FROM json_each(?) WHERE value IS NOT NULL", [.text(block.destinations)]
        )
        .map { [($0[0].integer ?? 0) + block.first, $0[1].integer ?? 0] } == Self.unfolded([block]))
    }
  }

  @Test(
    "a text that isn't a list of keys is refused",
    arguments: [
      "", "[", "]", "[1", "1]", "[1,]", "[,1]", "[1,,2]", "[ 1]", "[nul]", "[1.5]", "[--1]", "[-]", "[1e3]",
      "[[1]]",
      "[9223372036854775808]", "[-9223372036854775809]", "[\"1\"]",
      "[" + String(repeating: "1,", count: 5_000) + "1]",
    ])
  func refused(text: String) {
    #expect(SharedBlock.keys(text) == nil)
    #expect(SharedBlock(first: 1, destinations: text) == nil)
    // A list that is longer than any block is refused, too.
    #expect(SharedBlock.keys("[" + String(repeating: "1,", count: 5_000) + "1]") == nil)
    #expect(SharedBlock(first: .max, destinations: "[1,2]") == nil)
  }

  /// Notes of a few kinds and of unique kinds, with gaps of all sizes between their keys.
  private static func shop(validation: String = "") throws -> Workshop {
    let shop = try Workshop(
      "Note\n kind String?\n text String?\n weight Int64?\n peer -> Note.peers\n peers ->> Note.peer",
      "Note\n text String?\n kind -> Kind.notes\n kinds ->> Kind.others\nKind\n name String?\n notes ->> Note.kind\n others ->> Note.kinds"
    )
    try shop.map(
      "Model",
      """
      { name: "Kinds", source: "Note", destination: "Kind", filter: "weight != 3", uniqueBy: "$source.kind",
        attributes: { name: "$source.kind" },
        relationships: { others: { path: "$source.peer", mapping: "Notes" } } },
      { name: "Notes", source: "Note", destination: "Note",
        relationships: { kind: { path: "$source.peer", mapping: "Kinds" } } },
      """, further: validation)
    try shop.makeStore(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZTEXT, ZWEIGHT, ZPEER)
        SELECT i + (i / 50) * 7 + (i / 100) * 300, 1, 1,
          CASE WHEN i % 9 = 0 THEN NULL WHEN i % 4 = 0 THEN 'own ' || i ELSE 'k' || (i % 7) END, 't' || i, i % 10, NULL
          FROM n;
      UPDATE ZNOTE SET ZPEER = (SELECT p.Z_PK FROM ZNOTE AS p WHERE p.Z_PK <= 4000 - ZNOTE.Z_PK ORDER BY 1 DESC LIMIT 1)
        WHERE Z_PK % 5 <> 0;
      """)
    return shop
  }

  @Test(
    "over sets (with blocks) and row by row (with runs), the store and the associations are the same",
    arguments: [nil, 1, 90])
  func sameAsRows(size: Int?) throws {
    let shop = try Self.shop()
    func run(byRows: Bool) throws -> (lines: [String], pairs: [String], shared: Int, file: URL) {
      var job = shop.job(chunkSize: size)
      job.keepsAssociations = true
      job.goesByRows = byRows
      try? FileManager.default.removeItem(at: job.output.deletingLastPathComponent())
      let report = try Migration.run(job)
      let file = KeptAssociations.place(beside: job.output)
      let pairs = try PlainSQLite.rows(
        file,
        "SELECT mapping, source_entity, source_key, destination_entity, destination_key FROM associations ORDER BY 1, 3"
      )
      let shared = try PlainSQLite.rows(file, "SELECT ifnull(sum(objects), 0) FROM shared")
      #expect(try shop.verify().isEqual, "by rows: \(byRows)")
      return (try shop.finished(report).lines, pairs, Int(shared[0]) ?? -1, file)
    }
    let rows = try run(byRows: true)
    #expect(rows.shared == 0)
    let sets = try run(byRows: false)
    #expect(sets.lines == rows.lines && sets.pairs == rows.pairs)
    #expect(sets.lines.contains { $0.hasPrefix("Kind") && $0.contains("others=") })
    #expect(sets.shared == 720 && sets.pairs.count == 900 + 720, "\(sets.shared)")
    // `AssociationFile` reads the same associations.
    let file = try AssociationFile(sets.file.path)
    var found: [String] = []
    for entry in file.mappings {
      var count = 0
      try file.associations(of: entry) { source, destination in
        found.append(
          "\(entry.mapping.name)|\(source.entity)|\(source.key)|\(destination.entity)|\(destination.key)")
        count += 1
        return true
      }
      #expect(entry.associations == count)
    }
    #expect(found == sets.pairs)
  }

  @Test("an association file of format 1, which has no blocks, can be read")
  func formerForm() throws {
    let shop = try Self.shop()
    var job = shop.job()
    job.keepsAssociations = true
    _ = try Migration.run(job)
    let file = KeptAssociations.place(beside: job.output)
    let pairs = try PlainSQLite.rows(file, "SELECT * FROM uris ORDER BY 1, 2")
    _ = try PlainSQLite.rows(
      file,
      """
      INSERT INTO runs SELECT b.step, b.mapping, b.first + j.key, 1, j.value FROM shared AS b, json_each(b.destinations) AS j
        WHERE j.value IS NOT NULL;
      DROP VIEW uris; DROP VIEW associations; DROP TABLE shared; UPDATE file SET value = 1 WHERE key = 'format';
      """)
    let read = try AssociationFile(file.path)
    var found: [String] = []
    for entry in read.mappings {
      try read.associations(of: entry) { source, destination in
        found.append("\(entry.mapping.name)|\(read.uri(source))|\(read.uri(destination))")
        return true
      }
    }
    #expect(found.sorted() == pairs.sorted() && found.count == 1620)
    #expect(try shop.verify().isEqual)
    _ = try PlainSQLite.rows(file, "UPDATE file SET value = 2 WHERE key = 'format'")
    #expect(throws: AssociationFile.Failure.self) { try AssociationFile(file.path) }
    _ = try PlainSQLite.rows(file, "UPDATE file SET value = 3 WHERE key = 'format'")
    #expect(throws: AssociationFile.Failure.self) { try AssociationFile(file.path) }
  }

  @Test("a step with quarantine writes no blocks, because quarantine removes associations")
  func quarantine() throws {
    let shop = try Self.shop(validation: "validation: \"quarantine\",")
    var job = shop.job(chunkSize: 100)
    job.keepsAssociations = true
    _ = try Migration.run(job)
    let file = KeptAssociations.place(beside: job.output)
    #expect(try PlainSQLite.rows(file, "SELECT count(*) FROM shared") == ["0"])
    #expect(try PlainSQLite.rows(file, "SELECT count(*) FROM associations WHERE mapping = 'Kinds'") == ["720"])
  }
}
