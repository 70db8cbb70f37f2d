/// Rows that satisfy no chunk predicate of a mapping, or several.
package struct ChunkFinding: CustomStringConvertible {
  /// The entity mapping with its pass, as the beginning of a sentence.
  let place: String
  let entity: String
  let none: Int
  let several: Int
  /// Keys of some of the rows that satisfy no predicate.
  let examplesOfNone: [Int64]
  /// Keys of some of the rows that satisfy several predicates.
  let examplesOfSeveral: [Int64]

  package var description: String {
    let parts = [("none", none, examplesOfNone), ("several", several, examplesOfSeveral)].compactMap {
      word, count, keys -> String? in
      guard count > 0 else { return nil }
      let examples = keys.map { "\(entity)/p\($0)" }.joined(separator: ", ")
      return
        "\(count) \(count == 1 ? "row satisfies" : "rows satisfy") \(word) of its chunk predicates, such as "
        + examples
    }
    return "\(place): \(parts.joined(separator: "; "))."
  }
}
