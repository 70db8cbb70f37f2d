extension Evaluation {
  mutating func walk(
    _ start: Value, _ steps: ArraySlice<KeyPath.Step>
  ) throws(EvaluationError) -> Value {
    var current = start
    var rest = steps
    while let step = rest.first {
      rest = rest.dropFirst()
      switch step {
      case .key(let key): current = try self.key(key, of: current)
      case .collection(.count): current = try Counting.value(current)
      case .collection(let name):
        current = try gather(name, current, rest.takePath(of: name))
      case .first: current = try Indexing.value(current, at: 0)
      case .last:
        current = try Indexing.value(current, at: Int64(current.members?.count ?? 0) - 1)
      case .size: current = try Counting.value(current)
      case .index(let index):
        let place = try value(index)
        current = try Indexing.value(current, place)
      }
    }
    return current
  }

  /// The value of a key; for a list or a set, the list of its members' values.
  ///
  /// If a member's value is a list or a set, its members are added to the list. The list for a set keeps duplicates, as
  /// a join in SQL does.
  mutating func key(_ key: String, of value: Value) throws(EvaluationError) -> Value {
    switch value {
    case .null: return .null
    case .array(let members), .set(let members):
      try state.spend(members.count)
      var values: [Value] = []
      for member in members {
        let value = try self.key(key, of: member)
        if let inner = value.members {
          try state.spend(inner.count)
          values += inner
        } else {
          values.append(value)
        }
      }
      return .array(values)
    case .dictionary(let entries): return entries[key] ?? .null
    case .object(let reference):
      let found: Value?
      do {
        found = try reference.object.value(forKey: key)
      } catch {
        throw EvaluationError(.failed(error))
      }
      guard let found else { throw EvaluationError(.unknownKey(key, of: value.owner)) }
      return found
    default:
      guard let found = PlainKeys.value(key, of: value) else {
        throw EvaluationError(.unknownKey(key, of: value.owner))
      }
      return found
    }
  }

  private mutating func gather(
    _ name: CollectionOperator, _ value: Value, _ right: ArraySlice<KeyPath.Step>
  ) throws(EvaluationError) -> Value {
    if value.isNull { return .null }
    guard let members = value.members else {
      throw .mismatch(value, expected: "a collection for @\(name.rawValue)")
    }
    var leaves: [Value] = []
    for member in members {
      try state.spend()
      leaves.append(right.isEmpty ? member : try walk(member, right))
    }
    switch name {
    case .count: return .integer(Int64(leaves.count))
    case .sum: return try Summing.sum(leaves)
    case .average: return try Summing.average(leaves)
    case .minimum: return try Extremes.least(leaves)
    case .maximum: return try Extremes.greatest(leaves)
    case .unionOfObjects: return .array(Unions.objects(leaves))
    case .distinctUnionOfObjects:
      let distinct = Distinct.members(Unions.objects(leaves))
      if case .set = value { return .set(distinct) }
      return .array(distinct)
    case .unionOfArrays: return .array(try Unions.collections(leaves))
    case .distinctUnionOfArrays: return .array(Distinct.members(try Unions.collections(leaves)))
    case .distinctUnionOfSets: return .set(Distinct.members(try Unions.collections(leaves)))
    }
  }
}
