internal import DecantEngine
internal import DecantPasses
internal import DecantSQLite

/// Finds destination keys in a file of kept associations that is attached as `kept`.
final class AssociationLookup {
  private struct Block {
    let mapping: Int
    let first: Int
    let keys: [Int64?]
  }

  private let run: SQLiteStatement
  private let blocks: SQLiteStatement?
  var hasBlocks: Bool { blocks != nil }
  private let path: String
  private var block: Block?
  private let pairs: SQLiteStatement?

  /// - Parameters:
  ///   - path: The file.
  ///   - step: The number of the step whose associations are read, from 1.
  init(in database: SQLiteDatabase, path: String, step: Int) throws(SQLiteError) {
    self.path = path
    run = try database.prepare(
      "SELECT first, length, destination FROM kept.runs WHERE step = \(step) AND mapping = ?1 AND first <= ?2 "
        + "ORDER BY first DESC LIMIT 1")
    let hasBlocks = try database.integer("SELECT count(*) FROM kept.sqlite_master WHERE name = 'shared'") > 0
    blocks =
      hasBlocks
      ? try database.prepare(
        "SELECT first, destinations FROM kept.shared WHERE step = \(step) AND mapping = ?1 AND first <= ?2 "
          + "ORDER BY first DESC LIMIT 1") : nil
    let hasPairs = try database.integer("SELECT EXISTS (SELECT 1 FROM kept.pairs WHERE step = \(step))") > 0
    pairs =
      hasPairs
      ? try database.prepare(
        "SELECT p.destination FROM kept.pairs AS p JOIN kept.mappings AS m ON m.step = p.step AND m.mapping = p.mapping "
          + "WHERE p.step = \(step) AND p.mapping = ?1 AND p.source = ?2 AND p.source_entity = m.source_entity "
          + "AND p.destination_entity = m.destination_entity ORDER BY 1")
      : nil
  }

  /// The keys of the destination objects that a mapping has associated with a source key, in ascending order.
  func destinations(of key: Int, mapping: Int) throws -> [Int] {
    var found: [Int] = []
    try bind(run, mapping, key)
    defer { run.reset() }
    if try run.step() {
      let (offset, overflow) = key.subtractingReportingOverflow(run.integer(0))
      let (target, tooLarge) = run.integer(2).addingReportingOverflow(offset)
      if !overflow, !tooLarge, offset >= 0, offset < run.integer(1) { found.append(target) }
    }
    if let shared = try shared(key, mapping) { found.append(shared) }
    guard let pairs else { return found.count < 2 ? found : Set(found).sorted() }
    try bind(pairs, mapping, key)
    defer { pairs.reset() }
    while try pairs.step() { found.append(pairs.integer(0)) }
    return Set(found).sorted()
  }

  private func shared(_ key: Int, _ mapping: Int) throws -> Int? {
    guard let blocks else { return nil }
    if !(block.map { $0.mapping == mapping && place(of: key, in: $0) != nil } ?? false) {
      block = nil
      try bind(blocks, mapping, key)
      defer { blocks.reset() }
      guard try blocks.step() else { return nil }
      let first = blocks.integer(0)
      guard let keys = SharedBlock.keys(blocks.string(1)) else {
        let reason = SharedBlock.damage(at: Int64(first), in: path).message
        throw AssociationFile.Failure.unreadable(path: path, reason: reason)
      }
      block = Block(mapping: mapping, first: first, keys: keys)
    }
    guard let block, let place = place(of: key, in: block) else { return nil }
    return block.keys[place].map { Int($0) }
  }

  private func place(of key: Int, in block: Block) -> Int? {
    let (place, overflow) = key.subtractingReportingOverflow(block.first)
    return !overflow && block.keys.indices.contains(place) ? place : nil
  }

  private func bind(_ statement: SQLiteStatement, _ mapping: Int, _ key: Int) throws(SQLiteError) {
    statement.reset()
    try statement.bind(.integer(Int64(mapping)), at: 1)
    try statement.bind(.integer(Int64(key)), at: 2)
  }
}
