internal import DecantExpressions
internal import DecantPasses
internal import DecantPolicies
internal import DecantRows
internal import DecantSQLite

/// Compares the associations of one source object with what the mapping model gives.
extension ExpectedObjects {
  /// The key of the destination object for a source object, and whether the destination object must be made now.
  ///
  /// - Returns: `nil` if the source object has no destination object or must have none, or if its filter or `uniqueBy`
  ///   fails.
  func judge(
    _ source: ManagedObject, _ row: Int64, _ kept: [Int], _ compiled: RowMapping, _ tally: inout ObjectTally
  ) throws -> (key: Int, isNew: Bool)? {
    let key = String(row)
    var unique: SQLiteValue?
    if isOpaque {
      tally.opaque += 1
      guard let destination = try kept.first ?? putAside(row) else { return nil }
      let isNew = try !isUnique || judge(.integer(Int64(destination)), destination, key, &tally)
      return (destination, isNew)
    }
    do {
      let isTaken = try compiled.filter?.holds(in: session.evaluation(source)) ?? true
      if isTaken, let expression = compiled.unique {
        unique = try PlainValue.sqlite(try expression.value(in: session.evaluation(source)))
      }
      let hasNoValue = unique == .null
      guard isTaken, !hasNoValue else {
        if hasNoValue { tally.withoutValue += 1 } else { tally.filtered += 1 }
        if !kept.isEmpty { tally.note(.filteredObject, key) }
        return nil
      }
    } catch {
      tally.note(error: "\(error)", key)
      return nil
    }
    guard let destination = try kept.first ?? putAside(row) else {
      if expected.hasPolicies { tally.deleted += 1 } else { tally.note(.lostAssociation, key) }
      return nil
    }
    if kept.count > 1 { tally.note(.surplusAssociation, key) }
    guard let unique else {
      // Keys are kept, or assigned in the order of the source's keys.
      let isInPlace = mapping.keepsKeys ? Int64(destination) == row : destination > tally.lastKey
      tally.lastKey = destination
      if !isInPlace { tally.note(.movedAssociation, key) }
      return (destination, true)
    }
    return (destination, try judge(unique, destination, key, &tally))
  }

  private func putAside(_ row: Int64) throws(SQLiteError) -> Int? {
    try expected.aside?.take(Int(row), of: mapping)
  }

  /// Checks that each value has one destination, and each destination one value.
  ///
  /// - Returns: Whether the value is new.
  private func judge(
    _ value: SQLiteValue, _ destination: Int, _ key: String, _ tally: inout ObjectTally
  ) throws -> Bool {
    let statements = session.destination.statements
    let number = SQLiteValue.integer(Int64(mapping.number))
    let known = try statements.first(
      "SELECT destination FROM main.\(Associations.values) WHERE mapping = ? AND value = ?", [number, value]
    )?.integer
    guard let known else {
      try statements.run(
        "INSERT INTO main.\(Associations.values) (mapping, value, destination) VALUES (?, ?, ?)",
        [number, value, .integer(Int64(destination))])
      // Objects are numbered in the order of their first source objects.
      if destination <= tally.lastKey { tally.note(.movedAssociation, key) }
      tally.lastKey = max(tally.lastKey, destination)
      return true
    }
    if known != destination { tally.note(.movedAssociation, key) }
    return false
  }
}
