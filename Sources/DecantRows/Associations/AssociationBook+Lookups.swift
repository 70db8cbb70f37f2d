internal import DecantPasses
package import DecantSQLite

/// Look-ups of associations in both directions, including the batch in memory.
extension AssociationBook {
  /// The objects that a mapping has made from a source object.
  ///
  /// The objects of written associations come first.
  func destinations(of source: Int64, mapping: Int) throws(SQLiteError) -> [RowKey] {
    try written(source, mapping: mapping) + (waiting(mapping)?.destinations(of: source) ?? [])
  }

  func hasDestination(of source: Int64, mapping: Int) throws(SQLiteError) -> Bool {
    if let latest, latest == (mapping, source) { return true }
    if waiting(mapping)?.hasDestination(of: source) ?? false { return true }
    return try !written(source, mapping: mapping).isEmpty
  }

  func written(_ source: Int64, mapping: Int) throws(SQLiteError) -> [RowKey] {
    var keys: [RowKey] = []
    guard try source <= last(mapping) else { return [] }
    if let root = own[mapping],
      let key = try statements.first(
        "SELECT destination + (?2 - first) FROM main.\(Associations.runs) WHERE mapping = ?1 AND first = (SELECT "
          + "max(first) FROM main.\(Associations.runs) WHERE mapping = ?1 AND first <= ?2) AND ?2 - first < length",
        [.integer(Int64(mapping)), .integer(source)])?.integer
    {
      keys.append(RowKey(root: root, key: key))
    }
    guard hasPairs else { return keys }
    let rows = try statements.rows(
      "SELECT root, destination FROM main.\(Associations.pairs) WHERE mapping = ? AND source = ? ORDER BY 1, 2",
      [.integer(Int64(mapping)), .integer(source)])
    return keys + rows.compactMap(key)
  }

  func hasWritten(_ destination: RowKey, mapping: Int) throws(SQLiteError) -> Bool {
    try firstWrittenSource(of: destination, mapping: mapping) != nil
  }

  func key(_ row: [SQLiteValue]) -> RowKey? {
    guard let root = row.first?.integer.flatMap({ names[$0] }), let key = row.last?.integer else { return nil }
    return RowKey(root: root, key: key)
  }

  /// The keys of the source objects from which a mapping has made a destination object, in ascending order.
  func sources(of destination: RowKey, mapping: Int) throws(SQLiteError) -> [Int64] {
    try sources(of: destination, mapping: mapping, after: nil, limit: .max)
  }

  /// Keys of some of the source objects from which a mapping has made a destination object, in ascending order.
  ///
  /// - Parameters:
  ///   - last: Only keys greater than this key are given; `nil` for all keys.
  ///   - limit: The maximum number of keys.
  func sources(
    of destination: RowKey, mapping: Int, after last: Int64?, limit: Int
  ) throws(SQLiteError) -> [Int64] {
    try reverse()
    // No row has the smallest number as its key, so all keys are greater.
    let lower = last ?? .min
    var found = Set((waiting(mapping)?.sources(of: destination) ?? []).filter { $0 > lower })
    let values: [SQLiteValue] = [
      .integer(Int64(mapping)), .integer(destination.key), .integer(lower), .integer(Int64(limit)),
    ]
    func take(_ text: String, _ values: [SQLiteValue]) throws(SQLiteError) {
      found.formUnion(try statements.rows(text, values).compactMap { $0.first?.integer })
    }
    if destination.root == own[mapping] {
      try take(
        "SELECT first FROM main.\(Associations.runs) WHERE mapping = ?1 AND destination = ?2 AND first > ?3 "
          + "ORDER BY first LIMIT ?4", values)
      // The last run that begins before the key may contain the key.
      try take(
        "SELECT first + (?2 - destination) FROM (SELECT first, length, destination FROM main.\(Associations.runs) "
          + "WHERE mapping = ?1 AND destination < ?2 ORDER BY destination DESC LIMIT 1) "
          + "WHERE ?2 - destination < length AND first + (?2 - destination) > ?3", Array(values.prefix(3)))
    }
    if hasPairs {
      try take(
        "SELECT source FROM main.\(Associations.pairs) WHERE mapping = ?1 AND root = ?5 AND destination = ?2 "
          + "AND source > ?3 ORDER BY source LIMIT ?4", values + [.integer(roots[destination.root] ?? 0)])
    }
    return Array(found.sorted().prefix(limit))
  }

  /// The smallest key of the source objects from which a mapping has made a destination object; `nil` if there are
  /// none.
  package func firstSource(of destination: RowKey, mapping: Int) throws(SQLiteError) -> Int64? {
    let pending = waiting(mapping)?.sources(of: destination).min()
    guard let written = try firstWrittenSource(of: destination, mapping: mapping) else { return pending }
    return pending.map { min($0, written) } ?? written
  }

  private func firstWrittenSource(of destination: RowKey, mapping: Int) throws(SQLiteError) -> Int64? {
    try reverse()
    var first: Int64?
    func take(_ text: String, _ values: [SQLiteValue]) throws(SQLiteError) {
      guard let source = try statements.first(text, values)?.integer else { return }
      first = first.map { min($0, source) } ?? source
    }
    if destination.root == own[mapping] {
      let values: [SQLiteValue] = [.integer(Int64(mapping)), .integer(destination.key)]
      try take(
        "SELECT min(first) FROM main.\(Associations.runs) WHERE mapping = ? AND destination = ?", values)
      try take(
        "SELECT first + (?2 - destination) FROM (SELECT first, length, destination FROM main.\(Associations.runs) "
          + "WHERE mapping = ?1 AND destination < ?2 ORDER BY destination DESC LIMIT 1) "
          + "WHERE ?2 - destination < length", values)
    }
    if hasPairs {
      try take(
        "SELECT min(source) FROM main.\(Associations.pairs) WHERE mapping = ? AND root = ? AND destination = ?",
        [.integer(Int64(mapping)), .integer(roots[destination.root] ?? 0), .integer(destination.key)])
    }
    return first
  }

  private func reverse() throws(SQLiteError) {
    guard !isReversible else { return }
    try database.execute(
      "CREATE INDEX IF NOT EXISTS main.\(Associations.runs)_BACK ON \(Associations.runs) (mapping, destination); "
        + "CREATE INDEX IF NOT EXISTS main.\(Associations.pairs)_BACK ON \(Associations.pairs) "
        + "(mapping, root, destination)")
    isReversible = true
  }
}
