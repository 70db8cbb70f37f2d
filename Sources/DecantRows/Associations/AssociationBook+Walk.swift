internal import DecantPasses
package import DecantSQLite

/// Reads associations of a mapping in the order of the source keys.
extension AssociationBook {
  /// The associations of a mapping with source keys in a range, in the order of the source keys.
  ///
  /// - Parameters:
  ///   - lower: The lower bound of the source keys, exclusive.
  ///   - upper: The upper bound of the source keys, inclusive.
  ///   - limit: The maximum number of results.
  package func associations(
    mapping: Int, after lower: Int64, upTo upper: Int64, limit: Int
  ) throws(SQLiteError) -> [(source: Int64, destination: RowKey)] {
    try write()
    guard lower < upper else { return [] }
    var ofRuns = try runs(mapping, after: lower, upTo: upper, limit: limit)[...]
    var ofPairs = try pairs(mapping, after: lower, upTo: upper, limit: limit)[...]
    var found: [(source: Int64, destination: RowKey)] = []
    while found.count < limit {
      guard let pair = ofPairs.first else {
        found += ofRuns.prefix(limit - found.count)
        break
      }
      if let run = ofRuns.first, precedes(run, pair) {
        found.append(run)
        ofRuns.removeFirst()
      } else {
        found.append(pair)
        ofPairs.removeFirst()
      }
    }
    return found
  }

  private func precedes(
    _ left: (source: Int64, destination: RowKey), _ right: (source: Int64, destination: RowKey)
  ) -> Bool {
    func order(_ item: (source: Int64, destination: RowKey)) -> (Int64, Int64, Int64) {
      (item.source, roots[item.destination.root] ?? 0, item.destination.key)
    }
    return order(left) < order(right)
  }

  /// The associations in runs; runs of one mapping have no common source key.
  private func runs(
    _ mapping: Int, after lower: Int64, upTo upper: Int64, limit: Int
  ) throws(SQLiteError) -> [(source: Int64, destination: RowKey)] {
    guard let root = own[mapping] else { return [] }
    // The last run that begins at or before `lower` may reach beyond `lower`.
    let rows = try statements.rows(
      "SELECT first, length, destination FROM main.\(Associations.runs) WHERE mapping = ?1 AND first <= ?3 "
        + "AND first >= ifnull((SELECT max(first) FROM main.\(Associations.runs) WHERE mapping = ?1 AND first <= ?2), ?2) "
        + "ORDER BY first LIMIT ?4",
      [
        .integer(Int64(mapping)), .integer(lower), .integer(upper),
        // That run may end at `lower`, so one more row is read.
        .integer(Int64(limit == .max ? limit : limit + 1)),
      ])
    var found: [(source: Int64, destination: RowKey)] = []
    for row in rows where row.count == 3 {
      guard let first = row[0].integer, let length = row[1].integer, let destination = row[2].integer else {
        continue
      }
      let begin = max(first, lower + 1)
      let end = min(first + (length - 1), upper)
      guard begin <= end else { continue }
      for source in begin...end {
        guard found.count < limit else { return found }
        found.append((source, RowKey(root: root, key: destination + (source - first))))
      }
    }
    return found
  }

  private func pairs(
    _ mapping: Int, after lower: Int64, upTo upper: Int64, limit: Int
  ) throws(SQLiteError) -> [(source: Int64, destination: RowKey)] {
    guard hasPairs else { return [] }
    return try statements.rows(
      "SELECT source, root, destination FROM main.\(Associations.pairs) WHERE mapping = ?1 AND source > ?2 "
        + "AND source <= ?3 ORDER BY source, root, destination LIMIT ?4",
      [.integer(Int64(mapping)), .integer(lower), .integer(upper), .integer(Int64(limit))]
    ).compactMap { row in
      guard let source = row.first?.integer, let key = key(Array(row.dropFirst())) else { return nil }
      return (source, key)
    }
  }
}
