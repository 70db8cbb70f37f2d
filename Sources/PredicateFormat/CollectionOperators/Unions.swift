/// `@unionOfObjects` and similar: the values of the members' paths in one collection, without nil.
enum Unions {
  /// The values themselves.
  static func objects(_ values: [Value]) -> [Value] { values.filter { !$0.isNull } }

  /// The members of the values, which are collections.
  static func collections(_ values: [Value]) throws(EvaluationError) -> [Value] {
    var members: [Value] = []
    for value in values where !value.isNull {
      guard let inner = value.members else { throw .mismatch(value, expected: "a collection of collections") }
      members += objects(inner)
    }
    return members
  }
}
