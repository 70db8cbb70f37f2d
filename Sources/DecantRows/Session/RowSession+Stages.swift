internal import DecantPasses
internal import DecantPolicies

/// The two row-by-row stages: creating objects from source rows, and relating the objects.
extension RowSession {
  func create(
    _ policy: EntityMigrationPolicy, _ mapping: MigrationEntityMapping, after lower: Int64, upTo upper: Int64,
    beat: () -> Void
  ) throws {
    let compiled = try compiled(mapping.number)
    let reader = try reading(compiled)
    let reading = reader.batches
    let filter = compiled.filter
    var (lower, given, filtered, withoutValue, leftOut) = (lower, 0, 0, 0, 0)
    while true {
      let rows = try reader.next(after: lower, upTo: upper)
      for row in 0..<rows.count {
        let key = rows.key(row)
        lower = key
        current = nil
        guard let sInstance = source.present(row, of: rows, reading) else { continue }
        var isTaken = rows.flag(row)
        try calling(policy, .create(mapping.number), sInstance) {
          if isTaken, let filter {
            isTaken = try faulting(.filter, filter, compiled.mapping, "\(sInstance.objectID)") {
              try filter.holds(in: evaluation(sInstance))
            }
          }
          guard isTaken else { return }
          current = CurrentRow(source: sInstance, key: key)
          try policy.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        }
        destination.retire()
        try countDeletedSources(except: key, mapping: mapping.number)
        guard isTaken else {
          filtered += 1
          continue
        }
        guard current?.lacksUniqueValue != true else {
          withoutValue += 1
          continue
        }
        given += 1
        if try !destination.book.hasDestination(of: key, mapping: mapping.number) { leftOut += 1 }
        if destination.pendingBytes > BatchSize.bytes { try endBatch() }
      }
      current = nil
      try endBatch()
      beat()
      if rows.isLast { break }
    }
    try counts.add(given, RowCounts.given, mapping: mapping.number)
    try counts.add(filtered, RowCounts.filtered, mapping: mapping.number)
    try counts.add(withoutValue, RowCounts.withoutValue, mapping: mapping.number)
    try counts.add(leftOut, RowCounts.leftOut, mapping: mapping.number)
  }

  /// The key that a new object takes over from its source object; `nil` if the object gets a new key.
  ///
  /// The key is given only once, and only for the current row.
  func keptKey(_ object: ManagedObject, _ mapping: PassPlan.Mapping) -> Int64? {
    guard mapping.keepsKeys, let row = current, !row.hasUsedKey, row.source === object else { return nil }
    current?.hasUsedKey = true
    return row.key
  }

  func relate(
    _ policy: EntityMigrationPolicy, _ mapping: MigrationEntityMapping, after lower: Int64, upTo upper: Int64,
    beat: () -> Void
  ) throws {
    let isSeen = OverriddenMethod.hasOwnRelating(type(of: policy))
    // The base policy has nothing to do if no relationship is mapped.
    if !isSeen, try compiled(mapping.number).relationships.isEmpty { return }
    if let planned = planned(mapping.number) { try beginDeferring(planned) }
    if !isSeen, try relateUnseen(policy, mapping, after: lower, upTo: upper) { return }
    let isShared = destination.book.isShared(mapping.number)
    var last = (source: lower, done: Set<RowKey>())
    var objects = 0
    while true {
      // The last source key's objects are read again, so that none of them is skipped.
      let after = last.done.isEmpty ? last.source : last.source - 1
      let pairs = try destination.book.associations(
        mapping: mapping.number, after: after, upTo: upper, limit: BatchSize.rows + last.done.count)
      let open =
        last.done.isEmpty
        ? pairs : pairs.filter { $0.source != last.source || !last.done.contains($0.destination) }
      for pair in open {
        destination.retire()
        // If several source objects share an object, the object is related only once, with the first source object.
        guard
          try (!isShared && !destination.book.hasPairs)
            || destination.book.firstSource(of: pair.destination, mapping: mapping.number) == pair.source,
          let object = try destination.present(pair.destination)
        else { continue }
        objects += 1
        presented = object
        try calling(policy, .relate(mapping.number), object) {
          try policy.createRelationships(forDestination: object, in: mapping, manager: manager)
        }
        presented = nil
      }
      if let end = open.last?.source {
        let done = Set(open.reversed().prefix { $0.source == end }.map(\.destination))
        last = (end, end == last.source ? last.done.union(done) : done)
      }
      try endBatch()
      beat()
      if open.isEmpty { break }
    }
    presented = nil
    try calling(policy, .relate(mapping.number), nil) {
      try endDeferring(after: lower, upTo: upper, objects: objects)
    }
  }
}
