import DecantModel
import DecantSQLite
import DecantStore
import Foundation

/// The content of a result independent of keys: every object with its attributes and relationships.
///
/// The name of an object is the key of its source object. The kept associations give that key; without associations it
/// is the object's own key. An entity of `Workload.tellingColumns` has a text as the name of each object. Texts are
/// compared by bytes.
struct LogicalContent {
  let objects: [String: String]

  /// - Parameter associations: The kept associations; `nil` if every object has its source object's key.
  init(_ workload: Workload, of store: URL, associations: URL?) throws {
    let database = try SQLiteDatabase("content of \(store.lastPathComponent)", mode: .memory)
    try database.attachImmutable(store.path, as: "store")
    let layout = try StoreLayout(workload.model(2), framework: FrameworkVersion(1344))
    let model = layout.model
    try database.execute(
      "CREATE TEMP TABLE names (entity TEXT, key INTEGER, name TEXT, PRIMARY KEY (entity, key)) WITHOUT ROWID")
    if let associations {
      try database.attachImmutable(associations.path, as: "kept")
      try database.execute(
        """
        WITH RECURSIVE one (mapping, source, destination, rest) AS (
          SELECT mapping, first, destination, length FROM kept.runs UNION ALL
          SELECT mapping, source + 1, destination + 1, rest - 1 FROM one WHERE rest > 1)
        INSERT INTO names SELECT m.destination_entity, one.destination, one.source FROM one
            JOIN kept.mappings AS m ON m.mapping = one.mapping
            WHERE m.destination_entity NOT IN (\(Self.list(workload.tellingColumns.keys)))
          UNION ALL SELECT m.destination_entity, j.value, b.first + j.key FROM kept.shared AS b
            JOIN json_each(b.destinations) AS j JOIN kept.mappings AS m ON m.mapping = b.mapping
            WHERE j.value IS NOT NULL AND m.destination_entity NOT IN (\(Self.list(workload.tellingColumns.keys)))
          UNION ALL SELECT destination_entity, destination, source FROM kept.pairs
            WHERE destination_entity NOT IN (\(Self.list(workload.tellingColumns.keys)))
        """)
    }
    for table in layout.tables {
      let telling = workload.tellingColumns[table.rootEntity]
      guard telling != nil || associations == nil else { continue }
      try database.execute(
        "INSERT INTO names SELECT '\(table.rootEntity)', Z_PK, \(telling.map { "hex(\($0))" } ?? "Z_PK") "
          + "FROM store.\(table.name)")
    }
    var objects: [String: String] = [:]
    for table in layout.tables {
      let columns = table.columns.compactMap { column -> String? in
        switch column.role {
        case .entity, .saves, .attribute: return Self.exact("t.\(column.name)")
        case .toOne(let property):
          let target = model.relationship(property.name, of: property.entity)?.destinationEntityName ?? ""
          return Self.name("t.\(column.name)", target)
        default: return nil
        }
      }
      objects[table.rootEntity] = try Self.lines(
        [Self.name("t.Z_PK", table.rootEntity)] + columns, of: "store.\(table.name) AS t", in: database)
    }
    for join in layout.joinTables {
      let ends = [join.first, join.second].map { end in
        let owner = end.relationship
        let target = model.relationship(owner.name, of: owner.entity)?.destinationEntityName ?? ""
        return Self.name("t.\(end.column)", target)
      }
      objects[join.name] = try Self.lines(ends, of: "store.\(join.name) AS t", in: database)
    }
    self.objects = objects
  }

  private static func list(_ names: some Sequence<String>) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  private static func name(_ key: String, _ entity: String) -> String {
    "CASE WHEN \(key) IS NULL THEN '-' ELSE ifnull((SELECT name FROM names WHERE entity = '\(entity)' AND key = \(key)), "
      + "'nobody ' || \(key)) END"
  }

  /// The SQL for a value with its type.
  ///
  /// A text is given as the hexadecimal digits of its bytes.
  static func exact(_ column: String) -> String {
    "CASE typeof(\(column)) WHEN 'text' THEN 't' || hex(\(column)) ELSE quote(\(column)) END"
  }

  /// Rows as one text of sorted lines, one line for each row.
  static func lines(_ columns: [String], of rows: String, in database: SQLiteDatabase) throws -> String {
    let found = try database.rows(
      "SELECT group_concat(line, char(10)) FROM (SELECT \(columns.joined(separator: " || '|' || ")) AS line "
        + "FROM \(rows) ORDER BY line)")
    if case .text(let text)? = found.first?.first { return text }
    return ""
  }
}
