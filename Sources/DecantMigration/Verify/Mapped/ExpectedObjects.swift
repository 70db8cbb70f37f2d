internal import DecantExpressions
internal import DecantMapping
internal import DecantModel
internal import DecantSQLite
internal import PredicateFormat

/// The objects of one entity mapping, from its associations and its expressions.
///
/// Filters and `uniqueBy` are evaluated for every source row. So every association must follow from the mapping model,
/// and none may be missing.
struct ExpectedObjects {
  let expected: ExpectedStore
  let mapping: PassPlan.Mapping
  private let recipes: [ValueRecipe]
  let filter: FormatPredicate?
  /// Whether unavailable code selects the source objects.
  let isOpaque: Bool
  var name: String { mapping.mapping.name }
  var isUnique: Bool { mapping.mapping.uniqueBy != nil }
  var policy: String? { expected.kept[mapping.number]?.policy }

  init(_ expected: ExpectedStore, _ mapping: PassPlan.Mapping) {
    self.expected = expected
    self.mapping = mapping
    filter = mapping.mapping.filter == .always ? nil : mapping.mapping.filter
    isOpaque =
      (filter.map(expected.code.isMissing) ?? false)
      || (mapping.mapping.uniqueBy.map(expected.code.isMissing) ?? false)
    recipes =
      expected.kept[mapping.number]?.policy == nil ? ValueRecipe.recipes(of: mapping, in: expected) : []
  }

  func make(_ findings: inout Findings) throws {
    guard policy == nil else { return try leaveToPolicy(&findings) }
    let columns = recipes.filter { $0.column != nil }
    let insert = try expected.database.prepare(
      "INSERT OR IGNORE INTO main.\(quoted(mapping.destinationTable.name)) "
        + "(\((["Z_PK", "Z_ENT", "Z_OPT"] + columns.compactMap(\.column)).map(quoted).joined(separator: ", "))) "
        + "VALUES (\(Array(repeating: "?", count: columns.count + 3).joined(separator: ", ")))")
    let selected = ["s.Z_PK"] + columns.compactMap(\.sql)
    let read = try expected.database.prepare(
      "SELECT \(selected.joined(separator: ", ")) FROM source.\(quoted(mapping.sourceTable.name)) AS s NOT INDEXED "
        + "WHERE s.Z_ENT = \(mapping.sourceNumber) ORDER BY s.Z_PK")
    var tally = ObjectTally()
    while try read.step() {
      let key = read.integer(0)
      tally.sourceRows += 1
      let row = expected.rows.object(entity: mapping.source, key: Int64(key))
      let destinations = try expected.lookup.destinations(of: key, mapping: mapping.number)
      tally.associated += destinations.count
      guard let isTaken = try judge(row, destinations, &tally), isTaken,
        let destination = try destinations.first
          ?? expected.aside?.destination(of: key, mapping: mapping.number)
      else { continue }
      var place = 1
      var values = head(destination)
      for recipe in columns {
        if recipe.sql != nil {
          values.append(read.value(place))
          place += 1
        } else {
          values.append(value(recipe, row, &tally))
        }
      }
      try insert.run(values)
      if expected.database.changes == 0 {
        tally.note(.sharedObject, String(destination))
      } else {
        tally.destinations += 1
      }
    }
    try tell(tally, &findings)
  }

  private func head(_ destination: Int) -> [SQLiteValue] {
    [.integer(Int64(destination)), .integer(Int64(mapping.destinationNumber)), .integer(1)]
  }

  /// Notes the objects that a policy has associated: their entities and values can't be checked.
  private func leaveToPolicy(_ findings: inout Findings) throws {
    let layout = expected.plan.destination
    let unjudged = try expected.database.prepare(
      "INSERT OR IGNORE INTO main.\(ExpectedStore.unjudged) VALUES (?, ?)")
    var inserts: [String: SQLiteStatement] = [:]
    var objects = 0
    if let entry {
      try expected.file.associations(of: entry) { _, object in
        guard let table = layout.table(of: object.entity), let number = layout.entityNumbers[object.entity],
          let root = layout.entityNumbers[table.rootEntity]
        else { return true }
        let key = SQLiteValue.integer(Int64(object.key))
        try unjudged.run([.integer(Int64(root)), key])
        objects += expected.database.changes
        let insert =
          try inserts[table.name]
          ?? expected.database.prepare(
            "INSERT OR IGNORE INTO main.\(quoted(table.name)) (Z_PK, Z_ENT, Z_OPT) VALUES (?, ?, 1)")
        inserts[table.name] = insert
        try insert.run([key, .integer(Int64(number))])
        return true
      }
    }
    findings.expect(.leftToPolicy, entity: name, property: policy, count: objects)
    let rows = try expected.database.integer(
      "SELECT count(*) FROM source.\(quoted(mapping.sourceTable.name)) WHERE Z_ENT = \(mapping.sourceNumber)")
    findings.entities.append(
      .init(
        source: mapping.source, destination: mapping.destination, sourceRows: rows, destinationRows: objects))
  }

  /// The file's entry for the mapping.
  var entry: AssociationFile.Mapping? {
    expected.file.mappings.first {
      $0.step == expected.step.number && $0.mapping.number == mapping.number
    }
  }

  private func value(_ recipe: ValueRecipe, _ row: RowObject, _ tally: inout ObjectTally) -> SQLiteValue {
    guard let fit = recipe.fit, let expression = recipe.expression else { return .null }
    do {
      return try fit.stored(try expression.value(in: expected.context(of: row)))
    } catch {
      tally.note(error: "“\(mapping.destination).\(recipe.attribute)”: \(error)", String(row.key))
      return .null
    }
  }
}
