internal import DecantSQLite

/// Keeps the ids and relationships that policy programs have stated, until the relationships can be set.
///
/// Both are in the working file, because an id is valid in all batches of a program, and a link may wait for objects of
/// other mappings.
package struct ProgramLinks {
  static let ids = "Z_DECANT_IDS"
  static let links = "Z_DECANT_LINKS"
  package static let workTables = [
    ids:
      "CREATE TABLE \(ids) (mapping INTEGER, id TEXT, root TEXT, key INTEGER, PRIMARY KEY (mapping, id)) WITHOUT ROWID",
    // Each end is a destination object, or the object that a mapping made from a source object.
    links:
      "CREATE TABLE \(links) (place INTEGER PRIMARY KEY, mapping INTEGER, from_root TEXT, from_key INTEGER, "
      + "from_mapping TEXT, relationship TEXT, to_root TEXT, to_key INTEGER, to_mapping TEXT, batch INTEGER, "
      + "line INTEGER)",
  ]

  package enum End: Hashable {
    case object(RowKey)
    /// The object that a mapping made from a source object; the name is `nil` for the program's own mapping.
    case made(of: Int64, mapping: String?)
  }

  /// The place in a program's output.
  struct OutputPlace: Hashable, CustomStringConvertible {
    /// The number of the batch, from 1.
    let batch: Int
    /// The line in the program's whole output, from 1.
    let line: Int

    var description: String { "line \(line) of its output (batch \(batch))" }
  }

  package struct Link {
    let place: Int64
    let mapping: Int
    let from: End
    let relationship: String
    let to: End
    let outputPlace: OutputPlace
  }

  private let statements: RowStatements

  init(_ database: SQLiteDatabase) {
    statements = RowStatements(database)
  }

  // MARK: Ids

  func key(of id: String, mapping: Int) throws(SQLiteError) -> RowKey? {
    let rows = try statements.rows(
      "SELECT root, key FROM main.\(Self.ids) WHERE mapping = ? AND id = ?",
      [.integer(Int64(mapping)), .text(id)])
    guard let row = rows.first else { return nil }
    guard row.count == 2, case .text(let root) = row[0], let key = row[1].integer else {
      throw statements.damage("the row of \(Self.ids) with the id “\(id)” isn't as Decant writes it")
    }
    return RowKey(root: root, key: key)
  }

  /// - Returns: Whether the id is new.
  func name(_ id: String, _ place: RowKey, mapping: Int) throws(SQLiteError) -> Bool {
    if try key(of: id, mapping: mapping) != nil { return false }
    try statements.run(
      "INSERT INTO main.\(Self.ids) (mapping, id, root, key) VALUES (?, ?, ?, ?)",
      [.integer(Int64(mapping)), .text(id), .text(place.root), .integer(place.key)])
    return true
  }

  // MARK: Links

  func add(
    _ from: End, _ relationship: String, _ to: End, mapping: Int, _ outputPlace: OutputPlace
  ) throws(SQLiteError) {
    try statements.run(
      "INSERT INTO main.\(Self.links) (mapping, from_root, from_key, from_mapping, relationship, to_root, to_key, "
        + "to_mapping, batch, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [.integer(Int64(mapping))] + Self.values(from) + [.text(relationship)] + Self.values(to)
        + [.integer(Int64(outputPlace.batch)), .integer(Int64(outputPlace.line))])
  }

  private static func values(_ end: End) -> [SQLiteValue] {
    switch end {
    case .object(let place): [.text(place.root), .integer(place.key), .null]
    case .made(let source, let mapping): [.null, .integer(source), mapping.map(SQLiteValue.text) ?? .null]
    }
  }

  /// Some links in the order in which the programs stated them.
  ///
  /// - Parameters:
  ///   - mapping: The mapping whose program stated the links; `nil` for all mappings.
  ///   - place: Only links with a greater `place` are given.
  ///   - limit: The maximum number of links.
  func links(of mapping: Int?, after place: Int64, limit: Int) throws(SQLiteError) -> [Link] {
    let rows = try statements.rows(
      "SELECT place, mapping, from_root, from_key, from_mapping, relationship, to_root, to_key, to_mapping, batch, "
        + "line FROM main.\(Self.links) WHERE place > ?1 AND (?2 IS NULL OR mapping = ?2) ORDER BY place LIMIT ?3",
      [.integer(place), mapping.map { .integer(Int64($0)) } ?? .null, .integer(Int64(limit))])
    return try rows.map { (row) throws(SQLiteError) -> Link in
      guard row.count == 11, let place = row[0].integer, let mapping = row[1].integer,
        case .text(let relationship) = row[5], let from = Self.end(row[2...4]), let to = Self.end(row[6...8]),
        let batch = row[9].integer, let line = row[10].integer
      else { throw statements.damage("a row of \(Self.links) isn't as Decant writes it") }
      return Link(
        place: place, mapping: Int(clamping: mapping), from: from, relationship: relationship, to: to,
        outputPlace: OutputPlace(batch: Int(clamping: batch), line: Int(clamping: line)))
    }
  }

  private static func end(_ values: ArraySlice<SQLiteValue>) -> End? {
    let values = Array(values)
    guard let key = values[1].integer else { return nil }
    if case .text(let root) = values[0] { return .object(RowKey(root: root, key: key)) }
    if case .text(let mapping) = values[2] { return .made(of: key, mapping: mapping) }
    return .made(of: key, mapping: nil)
  }

  func remove(_ link: Link) throws(SQLiteError) {
    try statements.run("DELETE FROM main.\(Self.links) WHERE place = ?", [.integer(link.place)])
  }
}
