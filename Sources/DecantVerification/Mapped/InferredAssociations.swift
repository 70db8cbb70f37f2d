internal import DecantEngine
internal import DecantPasses
internal import DecantSQLite

/// Checks the kept associations of an inferred last step: every destination object belongs to the source object of the
/// same key.
struct InferredAssociations {
  let file: AssociationFile
  let step: Int
  let stores: StorePair

  func run(_ findings: inout Findings) throws(SQLiteError) {
    try stores.database.attachImmutable(file.path, as: "kept")
    for entry in file.mappings where entry.step == step {
      guard let table = stores.destinationLayout.table(of: entry.mapping.destination),
        stores.has("Z_ENT", in: table.name)
      else { continue }
      try compare(entry.mapping, "main.\(quoted(table.name))", &findings)
    }
  }

  private func compare(
    _ mapping: KeptMapping, _ table: String, _ findings: inout Findings
  ) throws(SQLiteError) {
    let place = "step = \(step) AND mapping = \(mapping.number)"
    let objects = "\(table) AS d WHERE d.Z_ENT = \(stores.destinationNumber(mapping.destination))"
    func note(
      _ kind: Verification.Difference.Kind, _ query: String, _ column: String
    ) throws(SQLiteError) {
      let count = try stores.count(query)
      guard count > 0 else { return }
      findings.add(
        kind, entity: mapping.destination, name: mapping.name, count: count,
        examples: try stores.examples(column, from: query))
    }
    try note(.movedAssociation, "FROM kept.runs WHERE \(place) AND first <> destination", "first")
    try note(
      .strayAssociation,
      "FROM kept.runs AS r WHERE \(place) AND length <> (SELECT count(*) FROM \(objects) AND d.Z_PK >= r.destination "
        + "AND d.Z_PK - r.length < r.destination)", "first")
    try note(
      .lostAssociation,
      "FROM \(objects) AND NOT EXISTS (SELECT 1 FROM kept.runs AS r WHERE \(place) AND r.first = (SELECT max(first) "
        + "FROM kept.runs WHERE \(place) AND first <= d.Z_PK) AND d.Z_PK - r.length < r.first)", "d.Z_PK")
  }
}
