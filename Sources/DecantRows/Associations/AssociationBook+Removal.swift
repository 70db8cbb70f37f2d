internal import DecantPasses
internal import DecantSQLite

/// Removal of associations.
extension AssociationBook {
  /// Removes the associations of a deleted destination object.
  ///
  /// - Returns: By mapping, the source keys that have no object of the mapping any more.
  func forget(_ destination: RowKey) throws(SQLiteError) -> [Int: [Int64]] {
    try write()
    latest = nil
    var left: [Int: [Int64]] = [:]
    for (mapping, root) in own where root == destination.root || hasPairs {
      for source in try sources(of: destination, mapping: mapping) {
        try split(mapping: mapping, source: source, destination: destination.key)
        try statements.run(
          "DELETE FROM main.\(Associations.pairs) WHERE mapping = ? AND source = ? AND root = ? AND destination = ?",
          [
            .integer(Int64(mapping)), .integer(source), .integer(try number(ofRoot: destination.root)),
            .integer(destination.key),
          ])
        if try destinations(of: source, mapping: mapping).isEmpty { left[mapping, default: []].append(source) }
      }
    }
    return left
  }

  func number(ofRoot entity: String) throws(SQLiteError) -> Int64 {
    guard let number = roots[entity] else {
      throw statements.damage(
        "an association leads to the entity “\(entity)”, which isn't a root entity of the destination")
    }
    return number
  }

  /// Removes one source key from its run, if the run gives it this destination key.
  private func split(mapping: Int, source: Int64, destination: Int64) throws(SQLiteError) {
    let rows = try statements.rows(
      "SELECT first, length, destination FROM main.\(Associations.runs) WHERE mapping = ?1 AND first = (SELECT "
        + "max(first) FROM main.\(Associations.runs) WHERE mapping = ?1 AND first <= ?2) AND ?2 - first < length "
        + "AND destination + (?2 - first) = ?3",
      [.integer(Int64(mapping)), .integer(source), .integer(destination)])
    guard let row = rows.first else { return }
    guard row.count == 3, let first = row[0].integer, let length = row[1].integer, let start = row[2].integer
    else { throw statements.damage("a row of \(Associations.runs) isn't as Decant writes it") }
    let before = source - first
    let number = SQLiteValue.integer(Int64(mapping))
    if before == 0 {
      try statements.run(
        "DELETE FROM main.\(Associations.runs) WHERE mapping = ? AND first = ?", [number, .integer(first)])
    } else {
      try statements.run(
        "UPDATE main.\(Associations.runs) SET length = ?3 WHERE mapping = ?1 AND first = ?2",
        [number, .integer(first), .integer(before)])
    }
    if length - before > 1 {
      try statements.run(
        "INSERT INTO main.\(Associations.runs) (mapping, first, length, destination) VALUES (?, ?, ?, ?)",
        [number, .integer(source + 1), .integer(length - before - 1), .integer(start + before + 1)])
    }
  }
}
