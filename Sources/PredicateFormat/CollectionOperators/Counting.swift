/// `@count`, `[SIZE]`, `count:`: the number of members, nil ones included.
///
/// The count of nil is nil.
enum Counting {
  static func value(_ collection: Value) throws(EvaluationError) -> Value {
    switch collection {
    case .null: return .null
    case .array(let members), .set(let members): return .integer(Int64(members.count))
    case .dictionary(let entries): return .integer(Int64(entries.count))
    default: throw .mismatch(collection, expected: "a collection to count")
    }
  }
}
