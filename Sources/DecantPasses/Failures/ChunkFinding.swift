/// The rows that satisfy no chunk predicate of an entity mapping, and those that satisfy several.
package struct ChunkFinding: CustomStringConvertible {
  /// The entity mapping with its pass, as the beginning of a sentence.
  let place: String
  let entity: String
  let none: Int
  let several: Int
  /// Keys of some of the rows that satisfy no predicate.
  let examplesOfNone: [Int64]
  let examplesOfSeveral: [Int64]

  package var description: String {
    let parts = [("none", none, examplesOfNone), ("several", several, examplesOfSeveral)].compactMap {
      word, count, keys -> String? in
      guard count > 0 else { return nil }
      let examples = keys.map { "\(entity)/p\($0)" }.joined(separator: ", ")
      return
        "\(count) \(count == 1 ? "row" : "rows") (such as \(examples)) \(count == 1 ? "satisfies" : "satisfy") \(word) "
        + "of the chunk predicates"
    }
    return "\(place): \(parts.joined(separator: "; "))."
  }
}
