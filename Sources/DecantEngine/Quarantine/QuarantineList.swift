internal import DecantModel
internal import DecantPasses
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// Writes the list of a quarantine, in JSON with a line for each object.
///
/// A line has the refused object's entity and key, the reasons, the source objects, and the objects of the delivered
/// store to which the refused object's relationships led.
package struct QuarantineList {
  let quarantine: Quarantine
  /// A connection with the working file attached as `whole`.
  let database: SQLiteDatabase
  /// The UUID of the source and the delivered store.
  let uuid: String

  private var layout: StoreLayout { quarantine.layout }

  /// - Parameter quarantine: The UUID of the quarantine's store.
  func write(to path: String, quarantine own: String) throws {
    try collectOrigins()
    var file = try ObjectListFile(path, store: uuid, quarantine: own)
    let writer = try ObjectWriter(quarantine, database, uuid: uuid)
    let names = Dictionary(
      layout.entityNumbers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    let statement = try database.prepare(
      "SELECT root, key, entity, round FROM whole.\(Quarantine.refused) ORDER BY root, key")
    while try statement.step() {
      try file.beginObject()
      try writer.write(
        root: statement.integer(0), key: statement.integer(1), entity: names[statement.integer(2)] ?? "",
        isFollower: statement.integer(3) > 0, to: file.lines)
    }
    try file.close()
  }

  private func collectOrigins() throws(SQLiteError) {
    try database.execute(
      "CREATE TEMP TABLE decant_origins (root INTEGER, key INTEGER, place INTEGER, source INTEGER, "
        + "PRIMARY KEY (root, key, place, source)) WITHOUT ROWID")
    for (place, origin) in quarantine.origins.enumerated() {
      try database.execute(
        "INSERT OR IGNORE INTO temp.decant_origins SELECT x.root, x.key, \(place), x.source "
          + "FROM (\(origin.statement)) AS x")
    }
  }

  /// The text as a JSON string with its quotes.
  package static func json(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}

/// Writes one object's line in pieces, because the object may have any number of source objects.
private struct ObjectWriter {
  private let rules: [String]
  private let followers: [String]
  private let uuid: String
  private let origins: [String]
  private let reasonsOf: SQLiteStatement
  private let originsOf: SQLiteStatement
  private var linksOf: [String: [Link]] = [:]

  /// The targets of a relationship that are in the delivered store.
  private struct Link {
    let name: String
    let statement: SQLiteStatement
    let names: [Int: String]
  }

  init(_ quarantine: Quarantine, _ database: SQLiteDatabase, uuid: String) throws(SQLiteError) {
    func reason(_ property: String, _ code: Int, _ words: String) -> String {
      "{\"property\": \(QuarantineList.json(property)), \"code\": \(code), \"words\": \(QuarantineList.json(words))}"
    }
    let unique = quarantine.uniqueness.map { reason($0.property, $0.code, $0.words) }
    rules = quarantine.rules.map { reason($0.property, $0.code, $0.words) } + unique
    followers =
      quarantine.rules.map { reason($0.property, $0.code, $0.words + QuarantineSummary.following) } + unique
    self.uuid = uuid
    origins = quarantine.origins.map(\.sourceEntity)
    reasonsOf = try database.prepare(
      "SELECT rule FROM whole.\(Quarantine.reasons) WHERE root = ? AND key = ? ORDER BY rule")
    originsOf = try database.prepare(
      "SELECT place, source FROM temp.decant_origins WHERE root = ? AND key = ? ORDER BY place, source")
    for entity in quarantine.entities {
      linksOf[entity] = try Self.links(of: entity, quarantine.layout, database)
    }
  }

  private static func links(
    of entity: String, _ layout: StoreLayout, _ database: SQLiteDatabase
  ) throws(SQLiteError) -> [Link] {
    let names = Dictionary(
      layout.entityNumbers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    var links: [Link] = []
    for relationship in layout.model.relationships(of: entity).sorted(by: { $0.name < $1.name }) {
      guard let storage = RelationshipStorage(of: relationship.name, entity: entity, in: layout),
        let table = layout.table(of: relationship.destinationEntityName),
        let root = layout.rootNumber(of: relationship.destinationEntityName)
      else { continue }
      let order = storage.order.map { "p.\(quoted($0)), " } ?? ""
      let refused = Quarantine.isRefused("t.Z_PK", root: root, schema: "whole")
      links.append(
        Link(
          name: relationship.name,
          statement: try database.prepare(
            "SELECT t.Z_ENT, t.Z_PK FROM whole.\(quoted(storage.table)) AS p CROSS JOIN "
              + "whole.\(quoted(table.name)) AS t WHERE p.\(quoted(storage.owner)) = ? "
              + "AND t.Z_PK = p.\(quoted(storage.target)) AND NOT \(refused) ORDER BY \(order)t.Z_PK"),
          names: names))
    }
    return links
  }

  private func uri(_ entity: String, _ key: Int) -> String {
    QuarantineList.json("x-coredata://\(uuid)/\(entity)/p\(key)")
  }

  func write(root: Int, key: Int, entity: String, isFollower: Bool, to out: LineFile) throws {
    let place: [SQLiteValue] = [.integer(Int64(root)), .integer(Int64(key))]
    try out.write("{\"entity\": \(QuarantineList.json(entity)), \"key\": \(key), \"reasons\": [")
    let words = isFollower ? followers : rules
    try list(reasonsOf, place, to: out) { row in
      words.indices.contains(row.integer(0)) ? words[row.integer(0)] : "{}"
    }
    try out.write("], \"sources\": [")
    try list(originsOf, place, to: out) { row in
      uri(origins.indices.contains(row.integer(0)) ? origins[row.integer(0)] : "", row.integer(1))
    }
    try out.write("]")
    var isLinked = false
    for link in linksOf[entity] ?? [] {
      let head = (isLinked ? "], " : ", \"links\": {") + "\(QuarantineList.json(link.name)): ["
      let count = try list(link.statement, [place[1]], head: head, to: out) { row in
        uri(link.names[row.integer(0)] ?? "", row.integer(1))
      }
      isLinked = isLinked || count > 0
    }
    try out.write(isLinked ? "]}}" : "}")
  }

  /// Writes rows with commas between them; the head is written only before the first row.
  @discardableResult
  private func list(
    _ statement: SQLiteStatement, _ values: [SQLiteValue], head: String = "", to out: LineFile,
    _ text: (SQLiteStatement) -> String
  ) throws -> Int {
    statement.reset()
    defer { statement.reset() }
    for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    var count = 0
    while try statement.step() {
      try out.write((count == 0 ? head : ", ") + text(statement))
      count += 1
    }
    return count
  }
}
