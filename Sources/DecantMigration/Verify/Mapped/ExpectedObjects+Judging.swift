internal import DecantExpressions
internal import DecantMapping
internal import DecantSQLite
internal import PredicateFormat

/// Compares the associations of a source object with the mapping's filter and `uniqueBy`.
extension ExpectedObjects {
  /// Whether a row gives an object, in agreement with its associations.
  ///
  /// - Returns: False for a row that is associated with an existing object.
  func judge(_ row: RowObject, _ destinations: [Int], _ tally: inout ObjectTally) throws -> Bool? {
    let key = String(row.key)
    let context = expected.context(of: row)
    var unique: SQLiteValue?
    if isOpaque {
      tally.opaque += 1
      guard let destination = try destinations.first ?? putAside(row) else { return nil }
      return isUnique ? try judge(.integer(Int64(destination)), destination, key, &tally) : true
    }
    do {
      let isTaken = try filter?.holds(in: context) ?? true
      if isTaken, let expression = mapping.mapping.uniqueBy {
        unique = try PlainValue.sqlite(try expression.value(in: context))
      }
      let hasNoValue = unique == .null
      guard isTaken, !hasNoValue else {
        if hasNoValue { tally.withoutValue += 1 } else { tally.filtered += 1 }
        if !destinations.isEmpty { tally.note(.filteredObject, key) }
        return nil
      }
    } catch {
      tally.note(error: "\(error)", key)
      return nil
    }
    guard let destination = try destinations.first ?? putAside(row) else {
      if expected.hasPolicies { tally.deleted += 1 } else { tally.note(.lostAssociation, key) }
      return nil
    }
    if destinations.count > 1 { tally.note(.surplusAssociation, key) }
    guard let unique else {
      // Keys are kept, or assigned in the order of the source's keys.
      let isInPlace = mapping.keepsKeys ? Int64(destination) == row.key : destination > tally.lastKey
      tally.lastKey = destination
      if !isInPlace { tally.note(.movedAssociation, key) }
      return true
    }
    return try judge(unique, destination, key, &tally)
  }

  /// The quarantined object of a source object.
  private func putAside(_ row: RowObject) throws(SQLiteError) -> Int? {
    try expected.aside?.take(Int(row.key), of: mapping)
  }

  /// Checks that each value has one destination, and each destination one value.
  private func judge(
    _ value: SQLiteValue, _ destination: Int, _ key: String, _ tally: inout ObjectTally
  ) throws -> Bool {
    let known = try expected.destination(of: value, mapping: mapping.number)
    guard let known else {
      try expected.note(value, destination: destination, mapping: mapping.number)
      // Objects are numbered in the order of their first source objects.
      if destination <= tally.lastKey { tally.note(.movedAssociation, key) }
      tally.lastKey = max(tally.lastKey, destination)
      return true
    }
    if known != destination { tally.note(.movedAssociation, key) }
    return false
  }
}
