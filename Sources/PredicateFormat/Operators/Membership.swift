/// `x IN c`: a member of the collection c, or a value of the dictionary c, equals x; or the string c contains x.
///
/// Members are compared by `Equality`, nil included. Parts of strings are compared by bytes; with `[c]` or `[d]`,
/// strings are folded first. The empty string is a part of every string. The result is false if a side is nil, unless
/// nil is a member.
enum Membership {
  static func holds(
    _ value: Value, in collection: Value, _ options: ComparisonOptions
  ) throws(EvaluationError) -> Bool {
    switch collection {
    case .null: return false
    case .array(let members), .set(let members): return members.contains { Equality.holds($0, value, options) }
    case .dictionary(let entries): return entries.values.contains { Equality.holds($0, value, options) }
    case .string(let whole):
      if value.isNull { return false }
      guard case .string(let part) = value else {
        throw .mismatch(value, expected: "a string to look for in a string")
      }
      return isPart(Folding.text(part, options), of: Folding.text(whole, options))
    default: throw .mismatch(collection, expected: "a collection or a string to look in")
    }
  }

  private static func isPart(_ part: String, of whole: String) -> Bool {
    part.isEmpty || !ByteSearch.places(of: Array(part.utf8), in: Array(whole.utf8), atMost: 1).isEmpty
  }
}
