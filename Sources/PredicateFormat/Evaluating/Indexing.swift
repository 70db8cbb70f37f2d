/// `a[0]`, `a[FIRST]`, `a["key"]`: one member of a list or one entry of a dictionary.
///
/// The result is nil for nil, for an index beyond the ends, and for a missing key. A set has no order, so indexing a
/// set is an error.
enum Indexing {
  static func value(_ collection: Value, _ index: Value) throws(EvaluationError) -> Value {
    if collection.isNull || index.isNull { return .null }
    if case .dictionary(let entries) = collection {
      guard case .string(let key) = index else {
        throw .mismatch(index, expected: "a string as the key of a dictionary")
      }
      return entries[key] ?? .null
    }
    guard let place = Number(index)?.whole else { throw .mismatch(index, expected: "a whole number as index") }
    return try value(collection, at: place)
  }

  static func value(_ collection: Value, at place: Int64) throws(EvaluationError) -> Value {
    if collection.isNull { return .null }
    guard case .array(let members) = collection else {
      throw .mismatch(collection, expected: "a list in order")
    }
    guard let place = Int(exactly: place), members.indices.contains(place) else { return .null }
    return members[place]
  }
}
