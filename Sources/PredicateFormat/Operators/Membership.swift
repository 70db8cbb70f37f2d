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

  /// Whether the bytes occur; in linear time, whatever they are.
  private static func isPart(_ part: String, of whole: String) -> Bool {
    let (needle, hay) = (Array(part.utf8), Array(whole.utf8))
    if needle.isEmpty { return true }
    if needle.count > hay.count { return false }
    // Knuth, Morris and Pratt: how far back a mismatch has to go.
    var back = [Int](repeating: 0, count: needle.count)
    var length = 0
    for place in 1..<max(needle.count, 1) {
      while length > 0, needle[place] != needle[length] { length = back[length - 1] }
      if needle[place] == needle[length] { length += 1 }
      back[place] = length
    }
    length = 0
    for byte in hay {
      while length > 0, byte != needle[length] { length = back[length - 1] }
      if byte == needle[length] { length += 1 }
      if length == needle.count { return true }
    }
    return false
  }
}
