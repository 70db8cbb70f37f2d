internal import DecantStore

/// Finds destinations in a file of kept associations that is attached as `kept`.
final class AssociationLookup {
  private let run: SQLiteStatement
  private let pairs: SQLiteStatement?

  /// - Parameter step: The step whose associations are asked for.
  init(in database: SQLiteDatabase, step: Int) throws(SQLiteError) {
    run = try database.prepare(
      "SELECT first, length, destination FROM kept.runs WHERE step = \(step) AND mapping = ?1 AND first <= ?2 "
        + "ORDER BY first DESC LIMIT 1")
    let hasPairs = try database.integer("SELECT EXISTS (SELECT 1 FROM kept.pairs WHERE step = \(step))") > 0
    pairs =
      hasPairs
      ? try database.prepare(
        "SELECT p.destination FROM kept.pairs AS p JOIN kept.mappings AS m ON m.step = p.step AND m.mapping = p.mapping "
          + "WHERE p.step = \(step) AND p.mapping = ?1 AND p.source = ?2 AND p.source_entity = m.source_entity "
          + "AND p.destination_entity = m.destination_entity ORDER BY 1")
      : nil
  }

  /// The keys of a mapping's entities that it has associated with a source key, in ascending order.
  func destinations(of key: Int, mapping: Int) throws(SQLiteError) -> [Int] {
    var found: [Int] = []
    try bind(run, mapping, key)
    defer { run.reset() }
    if try run.step() {
      let (offset, overflow) = key.subtractingReportingOverflow(run.integer(0))
      let (target, tooLarge) = run.integer(2).addingReportingOverflow(offset)
      if !overflow, !tooLarge, offset >= 0, offset < run.integer(1) { found.append(target) }
    }
    guard let pairs else { return found }
    try bind(pairs, mapping, key)
    defer { pairs.reset() }
    while try pairs.step() { found.append(pairs.integer(0)) }
    return Set(found).sorted()
  }

  private func bind(_ statement: SQLiteStatement, _ mapping: Int, _ key: Int) throws(SQLiteError) {
    statement.reset()
    try statement.bind(.integer(Int64(mapping)), at: 1)
    try statement.bind(.integer(Int64(key)), at: 2)
  }
}
