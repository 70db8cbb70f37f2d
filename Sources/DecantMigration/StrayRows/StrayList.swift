internal import DecantEngine
internal import DecantModel
internal import DecantSQLite
internal import DecantStore

/// Writes the list of a source's stray rows, in JSON with a line for each row.
///
/// A line says what is wrong with the row, and which objects of the source referred to the row.
struct StrayList {
  let rows: StrayRows
  /// A connection to the stray rows' store, with the source attached as `whole`.
  let database: SQLiteDatabase
  /// The UUID of the source.
  let uuid: String

  private var layout: StoreLayout { rows.layout }

  /// A column with references to a table of stray rows.
  private struct Reference {
    let table: String
    let stored: StoredReference
  }

  /// - Parameter strayUUID: The UUID of the stray rows' store.
  func write(to path: String, strayStore strayUUID: String) throws {
    var file = try ObjectListFile(path, store: uuid, quarantine: strayUUID)
    let out = file.lines
    try database.execute(
      "CREATE TEMP TABLE decant_referrers (key INTEGER, place INTEGER, owner INTEGER, number INTEGER, "
        + "PRIMARY KEY (key, place, owner)) WITHOUT ROWID")
    for found in rows.tables {
      let references = references(to: found)
      try collect(references, to: found)
      let referrers = try database.prepare(
        "SELECT place, number, owner FROM temp.decant_referrers WHERE key = ? ORDER BY place, owner")
      let statement = try database.prepare(
        "SELECT Z_PK, CASE typeof(Z_ENT) WHEN 'integer' THEN Z_ENT WHEN 'real' THEN Z_ENT "
          + "WHEN 'text' THEN substr(Z_ENT, 1, \(Self.shown)) WHEN 'blob' THEN hex(substr(Z_ENT, 1, \(Self.shown))) END, "
          + "typeof(Z_ENT) FROM main.\(quoted(found.table.name)) ORDER BY Z_PK")
      while try statement.step() {
        try file.beginObject()
        let key = statement.integer(0)
        let type = if case .text(let type) = statement.value(2) { type } else { "" }
        try out.write(head(found, key: key, number: statement.value(1), type: type))
        try write(referrers, of: key, references, to: out)
        try out.write("}")
      }
    }
    try file.close()
  }

  /// The largest number of characters or bytes that are shown of a `Z_ENT` that isn't a number.
  private static let shown = 100

  private static func json(_ text: String) -> String { QuarantineList.json(text) }

  private func head(_ found: StrayRows.Table, key: Int, number: SQLiteValue, type: String) -> String {
    let entity = number.integer.flatMap { rows.entity($0) }
    let words = rows.reason(number: number.integer, type: type, in: found.table)
    let value =
      switch number {
      case .integer(let number): String(number)
      case .real(let number): number.isFinite ? String(number) : "null"
      case .text(let text): Self.json(text)
      case .null, .blob: "null"
      }
    return "{\"table\": \(Self.json(found.table.name)), "
      + (entity.map { "\"entity\": \(Self.json($0)), " } ?? "")
      + "\"number\": \(value), \"key\": \(key), \"reasons\": [{\"words\": \(Self.json(words))}]"
  }

  // MARK: Objects that refer to stray rows

  private func references(to found: StrayRows.Table) -> [Reference] {
    layout.tables.flatMap { table in
      StoredReference.all(in: table, of: layout).filter {
        layout.table(of: $0.target)?.name == found.table.name
      }.map { Reference(table: table.name, stored: $0) }
    }
  }

  private func collect(_ references: [Reference], to found: StrayRows.Table) throws(SQLiteError) {
    try database.execute("DELETE FROM temp.decant_referrers")
    for (place, reference) in references.enumerated() {
      let (table, column) = (quoted(reference.table), "s.\(quoted(reference.stored.column))")
      try database.execute(
        "INSERT OR IGNORE INTO temp.decant_referrers SELECT \(column), \(place), s.Z_PK, s.Z_ENT FROM whole.\(table) AS s "
          + "WHERE \(column) IN (SELECT Z_PK FROM main.\(quoted(found.table.name))) "
          + "AND s.Z_PK NOT IN (SELECT Z_PK FROM main.\(table))")
    }
  }

  private func write(
    _ statement: SQLiteStatement, of key: Int, _ references: [Reference], to out: LineFile
  ) throws {
    statement.reset()
    defer { statement.reset() }
    try statement.bind(.integer(Int64(key)), at: 1)
    var last: Int?
    while try statement.step() {
      let place = statement.integer(0)
      guard references.indices.contains(place) else { continue }
      if last == place {
        try out.write(", ")
      } else {
        let name = Self.json("\(references[place].stored.property)")
        try out.write((last == nil ? ", \"referrers\": {" : "], ") + name + ": [")
      }
      last = place
      let number = statement.integer(1)
      guard let entity = rows.entity(Int64(number)) else {
        throw SQLiteError.damage(
          "\(references[place].stored.property) of the row \(statement.integer(2)) refers to a stray row, but no entity has "
            + "the row's number \(number)", path: database.path)
      }
      try out.write(Self.json("x-coredata://\(uuid)/\(entity)/p\(statement.integer(2))"))
    }
    if last != nil { try out.write("]}") }
  }
}
