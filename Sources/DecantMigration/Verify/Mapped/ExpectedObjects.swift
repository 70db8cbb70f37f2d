internal import DecantMapping
internal import DecantModel
internal import DecantStore
internal import PredicateFormat

/// The objects of one entity mapping, from its associations and its expressions.
///
/// Filters and values that objects are unique by are evaluated for every source row, so that each association is one that
/// the mapping model asks for, and none is missing.
struct ExpectedObjects {
  let expected: ExpectedStore
  let mapping: PassPlan.Mapping
  private let recipes: [ValueRecipe]
  private let filter: FormatPredicate?
  /// Whether code that isn't here chooses the source objects.
  private let isOpaque: Bool
  private var name: String { mapping.mapping.name }
  private var isUnique: Bool { mapping.mapping.uniqueBy != nil }
  private var policy: String? { expected.kept[mapping.number]?.policy }

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

  /// What is found on the way, by key.
  private struct Tally {
    var counts: [Verification.Difference.Kind: (count: Int, keys: [String])] = [:]
    var errors: [String: (count: Int, keys: [String])] = [:]
    var associated = 0
    var destinations = 0
    var filtered = 0
    var deleted = 0
    var opaque = 0
    var sourceRows = 0
    var lastKey = 0

    mutating func note(_ kind: Verification.Difference.Kind, _ key: String) {
      counts[kind, default: (0, [])].count += 1
      if counts[kind, default: (0, [])].keys.count < 5 { counts[kind]?.keys.append(key) }
    }

    mutating func note(error: String, _ key: String) {
      errors[error, default: (0, [])].count += 1
      if errors[error, default: (0, [])].keys.count < 5 { errors[error]?.keys.append(key) }
    }
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
    var tally = Tally()
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

  /// The objects that a policy has associated: of whatever entity they are, nobody can say what they should hold.
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

  /// What the file says of the mapping.
  private var entry: AssociationFile.Mapping? {
    expected.file.mappings.first {
      $0.step == expected.step.number && $0.mapping.number == mapping.number
    }
  }

  /// Whether a row gives an object, and whether its associations say so too.
  ///
  /// - Returns: False for one that is associated with an object that is made already.
  private func judge(_ row: RowObject, _ destinations: [Int], _ tally: inout Tally) throws -> Bool? {
    let key = String(row.key)
    let context = expected.context(of: row)
    var unique: SQLiteValue?
    if isOpaque {
      tally.opaque += 1
      guard let destination = try destinations.first ?? putAside(row) else { return nil }
      return isUnique ? try judge(.integer(Int64(destination)), destination, key, &tally) : true
    }
    do {
      var isTaken = try filter?.holds(in: context) ?? true
      if isTaken, let expression = mapping.mapping.uniqueBy {
        let value = try PlainValue.sqlite(try expression.value(in: context))
        unique = value
        isTaken = value != .null
      }
      guard isTaken else {
        tally.filtered += 1
        if !destinations.isEmpty { tally.note(.filteredObject, key) }
        return nil
      }
    } catch {
      tally.note(error: "\(error)", key)
      return nil
    }
    guard let destination = try destinations.first ?? putAside(row) else {
      if expected.hasPolicies { tally.deleted += 1 } else { tally.note(.lostAssociation, key) }
      return nil
    }
    if destinations.count > 1 { tally.note(.surplusAssociation, key) }
    guard let unique else {
      // Keys are kept, or count up in the order of the source's.
      let isInPlace = mapping.keepsKeys ? Int64(destination) == row.key : destination > tally.lastKey
      tally.lastKey = destination
      if !isInPlace { tally.note(.movedAssociation, key) }
      return true
    }
    return try judge(unique, destination, key, &tally)
  }

  /// The object that a source object has become, where that was put aside.
  private func putAside(_ row: RowObject) throws(SQLiteError) -> Int? {
    try expected.aside?.take(Int(row.key), of: mapping)
  }

  /// One destination for each value, and one value for each destination.
  private func judge(_ value: SQLiteValue, _ destination: Int, _ key: String, _ tally: inout Tally) throws
    -> Bool
  {
    let known = try expected.destination(of: value, mapping: mapping.number)
    guard let known else {
      try expected.note(value, destination: destination, mapping: mapping.number)
      // Objects are numbered by their first source objects.
      if destination <= tally.lastKey { tally.note(.movedAssociation, key) }
      tally.lastKey = max(tally.lastKey, destination)
      return true
    }
    if known != destination { tally.note(.movedAssociation, key) }
    return false
  }

  private func value(_ recipe: ValueRecipe, _ row: RowObject, _ tally: inout Tally) -> SQLiteValue {
    guard let fit = recipe.fit, let expression = recipe.expression else { return .null }
    do {
      return try fit.stored(try expression.value(in: expected.context(of: row)))
    } catch {
      tally.note(error: "“\(mapping.destination).\(recipe.attribute)”: \(error)", String(row.key))
      return .null
    }
  }

  private func tell(_ tally: Tally, _ findings: inout Findings) throws {
    for (kind, found) in tally.counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      findings.add(kind, entity: mapping.destination, name: name, count: found.count, examples: found.keys)
    }
    for (reason, found) in tally.errors.sorted(by: { $0.key < $1.key }).prefix(5) {
      findings.add(
        .failedExpression, entity: mapping.destination, name: name, count: found.count,
        examples: [
          "\(reason) (\(found.keys.count == 1 ? "key" : "keys") \(found.keys.joined(separator: ", ")))"
        ])
    }
    findings.expect(.filtered, entity: name, count: tally.filtered)
    findings.expect(.leftToPolicy, entity: name, count: tally.deleted)
    findings.expect(.notJudged, entity: name, property: isUnique ? "uniqueBy" : "filter", count: tally.opaque)
    findings.entities.append(
      .init(
        source: mapping.source, destination: mapping.destination, sourceRows: tally.sourceRows,
        destinationRows: tally.destinations))
    try findStray(tally, &findings)
  }

  /// Associations of source objects that aren't there.
  private func findStray(_ tally: Tally, _ findings: inout Findings) throws {
    guard let entry, entry.associations != tally.associated else { return }
    let table = "source.\(quoted(mapping.sourceTable.name))"
    let place = "step = \(expected.step.number) AND mapping = \(mapping.number)"
    let runs =
      "FROM kept.runs AS r WHERE \(place) AND length <> (SELECT count(*) FROM \(table) AS s WHERE s.Z_PK >= r.first "
      + "AND s.Z_PK - r.length < r.first AND s.Z_ENT = \(mapping.sourceNumber))"
    let examples = try expected.database.rows("SELECT first \(runs) ORDER BY 1 LIMIT 5").compactMap {
      $0.first?.integer.map(String.init)
    }
    findings.add(
      .strayAssociation, entity: mapping.destination, name: name,
      count: max(1, entry.associations.subtractingReportingOverflow(tally.associated).partialValue),
      examples: examples)
  }
}
