internal import DecantExpressions
internal import DecantMapping
internal import DecantSQLite
internal import PredicateFormat

/// Explicit chunks: the rows of each predicate in turn.
///
/// Another piece of work has given these rows their keys and associations before, in the order of the source keys. So
/// the result is the same as without explicit chunks.
extension CreateWork {
  /// SQL that lists the rows of a predicate from which objects are made, in `temp.decant_chunk`.
  func rows(of predicate: FormatPredicate, _ index: Int) throws(NotSet) -> String {
    let join: String
    let key: String
    if mapping.mapping.uniqueBy == nil {
      join = "CROSS " + Associations.join("a", mapping: mapping.number, source: "s.Z_PK")
      key = Associations.key(of: "a", for: "s.Z_PK")
    } else {
      // An object is made from the first row with its value of `uniqueBy`.
      join =
        "CROSS JOIN main.\(Associations.values) AS v ON v.mapping = \(mapping.number) "
        + "AND v.value = +(\(try uniqueValue())) AND v.first = s.Z_PK"
      key = "v.destination"
    }
    return "INSERT INTO temp.decant_chunk (source, destination) SELECT s.Z_PK, \(key) "
      + "FROM source.\(quoted(mapping.sourceTable.name)) AS s NOT INDEXED \(join) "
      + "WHERE s.Z_ENT = \(mapping.sourceNumber) AND (\(try condition(predicate, index))) "
      + "AND s.Z_PK > ?1 AND s.Z_PK <= ?2 ORDER BY s.Z_PK"
  }

  /// The rows that the filter takes, with the number `n` of chunk predicates that hold for each.
  func chunkMatches() throws(NotSet) -> String? {
    guard case .predicates(let predicates) = mapping.mapping.chunks else { return nil }
    var terms: [String] = []
    for (index, predicate) in predicates.enumerated() {
      terms.append("((\(try condition(predicate, index))) IS TRUE)")
    }
    // SQLite limits the depth of an expression, so the terms are added in pairs.
    while terms.count > 1 {
      terms = stride(from: 0, to: terms.count, by: 2).map { place in
        place + 1 < terms.count ? "(\(terms[place]) + \(terms[place + 1]))" : terms[place]
      }
    }
    return "SELECT s.Z_PK AS key, \(terms.first ?? "0") AS n \(try taken())"
  }

  private func condition(_ predicate: FormatPredicate, _ index: Int) throws(NotSet) -> String {
    do throws(NotSQL) {
      return try sql.condition(predicate)
    } catch {
      throw NotSet(
        entityMapping: mapping.mapping.name, property: nil, reason: "chunk \(index + 1): \(error.reason)")
    }
  }
}
