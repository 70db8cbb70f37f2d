/// `@unionOfObjects` and similar: the values of the members' paths in one collection, without nil.
enum Unions {
  static func objects(_ values: [Value]) -> [Value] { values.filter { !$0.isNull } }

  static func collections(_ values: [Value]) throws(EvaluationError) -> [Value] {
    var members: [Value] = []
    for value in values where !value.isNull {
      guard let inner = value.members else { throw .mismatch(value, expected: "a collection of collections") }
      members += objects(inner)
    }
    return members
  }
}
