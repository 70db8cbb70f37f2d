/// `x IN c`: c has a member equal to x, a dictionary such a value; or the string c has x as a part.
///
/// Equal is what `Equality` says, nil among members included. Parts of strings are looked for by bytes, folded first
/// where `[c]` or `[d]` says so; the empty string is a part of every string. A side that is nil: false, but for nil as
/// a member. In SQL: `IN` with nil apart, `instr`.
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
        throw .mismatch(value, expected: "a string to look for in one")
      }
      return isPart(Folding.text(part, options), of: Folding.text(whole, options))
    default: throw .mismatch(collection, expected: "a collection or a string to look in")
    }
  }

  private static func isPart(_ part: String, of whole: String) -> Bool {
    part.isEmpty || !ByteSearch.places(of: Array(part.utf8), in: Array(whole.utf8), atMost: 1).isEmpty
  }
}
