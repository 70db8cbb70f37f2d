internal import DecantSQLite

/// Reports the results as findings.
extension ExpectedObjects {
  func tell(_ tally: ObjectTally, _ findings: inout Findings) throws {
    for (kind, found) in tally.counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      findings.add(kind, entity: mapping.destination, name: name, count: found.count, examples: found.keys)
    }
    tally.tellErrors(of: mapping, &findings)
    findings.expect(.filtered, entity: name, count: tally.filtered)
    findings.expect(.withoutValue, entity: name, count: tally.withoutValue)
    findings.expect(.leftToPolicy, entity: name, count: tally.deleted)
    findings.expect(.notJudged, entity: name, property: isUnique ? "uniqueBy" : "filter", count: tally.opaque)
    findings.entities.append(
      .init(
        source: mapping.source, destination: mapping.destination, sourceRows: tally.sourceRows,
        destinationRows: tally.destinations))
    try findStray(tally, &findings)
  }

  /// Finds associations of missing source objects.
  private func findStray(_ tally: ObjectTally, _ findings: inout Findings) throws {
    guard let entry, entry.associations != tally.associated else { return }
    let table = "source.\(quoted(mapping.sourceTable.name))"
    let place = "step = \(expected.step.number) AND mapping = \(mapping.number)"
    let runs =
      "FROM kept.runs AS r WHERE \(place) AND length <> (SELECT count(*) FROM \(table) AS s WHERE s.Z_PK >= r.first "
      + "AND s.Z_PK - r.length < r.first AND s.Z_ENT = \(mapping.sourceNumber))"
    // If the file has rows of `SharedBlock`, the query also covers the associations in these rows.
    let stray =
      expected.lookup.hasBlocks
      ? "SELECT first \(runs) UNION ALL SELECT b.first + j.key FROM kept.shared AS b, "
        + "json_each(iif(json_valid(b.destinations), b.destinations, '[]')) AS j WHERE \(place) AND j.value IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(table) AS s "
        + "WHERE s.Z_PK = b.first + j.key AND s.Z_ENT = \(mapping.sourceNumber))" : "SELECT first \(runs)"
    let examples = try expected.database.rows("\(stray) ORDER BY 1 LIMIT 5").compactMap {
      $0.first?.integer.map(String.init)
    }
    findings.add(
      .strayAssociation, entity: mapping.destination, name: name,
      count: max(1, entry.associations.subtractingReportingOverflow(tally.associated).partialValue),
      examples: examples)
  }
}
