internal import DecantModel
package import DecantSQLite
internal import DecantStore
internal import FileNames
internal import Foundation
internal import PredicateFormat

/// Makes the store of a quarantine, a store of the destination's version.
///
/// The refused objects keep their keys and the references among them. If a run is killed, the next run makes the store
/// again.
package struct QuarantineStore {
  let quarantine: Quarantine
  let files: QuarantineFiles
  /// The step's working file; nothing is written to it while the store is made.
  let workingFile: String
  let metadata: StoreMetadata
  let modelCache: Data?

  private var layout: StoreLayout { quarantine.layout }

  /// - Parameter beat: Asked about once a second. False ends the work.
  func make(beat: @escaping @Sendable () -> Bool) throws {
    files.remove()
    do {
      let store = try DestinationStore(at: files.store, layout: layout, isOpen: true)
      let database = store.database
      database.observe(beat)
      try database.attachImmutable(workingFile, as: "whole")
      try database.transaction { () throws(SQLiteError) in
        for table in layout.tables { try copy(table, in: database) }
        for join in layout.joinTables { try copy(join, in: database) }
        for table in layout.tables { try cut(table, in: database) }
      }
      try store.createFulfilledIndexes()
      var own = metadata
      own.uuid = Self.uuid(of: metadata.uuid)
      try QuarantineList(quarantine: quarantine, database: database, uuid: metadata.uuid).write(
        to: files.list, quarantine: own.uuid)
      try store.finish(metadata: own, maxima: [:], modelCache: modelCache, usesWriteAheadLog: false)
    }
    try files.sync()
  }

  /// The UUID of a quarantine store; it differs from the delivered store's, because an application may open both.
  ///
  /// - Parameter content: The kind of content.
  package static func uuid(of uuid: String, _ content: String = "quarantine") -> String {
    var bytes = Array(MessageDigest.sha256(Array("\(content) of \(uuid)".utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]].map { $0.joined() }
      .joined(separator: "-")
  }

  private func copy(_ table: StoreLayout.Table, in database: SQLiteDatabase) throws(SQLiteError) {
    guard let root = layout.rootNumber(of: table.rootEntity) else { return }
    try database.execute(
      "INSERT INTO main.\(quoted(table.name)) SELECT o.* FROM whole.\(Quarantine.refused) AS r "
        + "CROSS JOIN whole.\(quoted(table.name)) AS o WHERE r.root = \(root) AND o.Z_PK = r.key ORDER BY r.key"
    )
  }

  /// Copies the pairs whose two objects are both in the store.
  private func copy(_ join: StoreLayout.JoinTable, in database: SQLiteDatabase) throws(SQLiteError) {
    guard let first = root(of: join.first), let second = root(of: join.second) else { return }
    try database.execute(
      "INSERT INTO main.\(quoted(join.name)) SELECT j.* FROM whole.\(Quarantine.refused) AS r "
        + "CROSS JOIN whole.\(quoted(join.name)) AS j WHERE r.root = \(first) AND "
        + "j.\(quoted(join.first.column)) = r.key AND "
        + Quarantine.isRefused("j.\(quoted(join.second.column))", root: second, schema: "whole"))
  }

  private func root(of end: StoreLayout.JoinEnd) -> Int? {
    layout.model.relationship(end.relationship.name, of: end.relationship.entity).flatMap {
      layout.rootNumber(of: $0.destinationEntityName)
    }
  }

  /// Sets references to objects that aren't in the store to nil.
  private func cut(_ table: StoreLayout.Table, in database: SQLiteDatabase) throws(SQLiteError) {
    let name = "main.\(quoted(table.name))"
    for reference in StoredReference.all(in: table, of: layout) {
      guard let target = layout.table(of: reference.target) else { continue }
      let column = quoted(reference.column)
      let cleared = reference.cleared.map { "\(quoted($0)) = NULL" }.joined(separator: ", ")
      try database.execute(
        "UPDATE \(name) SET \(cleared) WHERE \(column) IS NOT NULL AND NOT EXISTS "
          + "(SELECT 1 FROM main.\(quoted(target.name)) AS t WHERE t.Z_PK = \(name).\(column))")
    }
  }
}

extension DestinationStore {
  /// Adds the uniqueness constraints and creates the indexes, without those that the rows break.
  package func createFulfilledIndexes() throws(SQLiteError) {
    func tryOut(_ change: () throws(SQLiteError) -> Void) throws(SQLiteError) {
      do throws(SQLiteError) {
        try change()
      } catch {
        guard error.isConstraint else { throw error }
      }
    }
    for table in try openConstrainedTables() {
      try tryOut { () throws(SQLiteError) in try constrain(table) }
    }
    for statement in try missingIndexes() {
      try tryOut { () throws(SQLiteError) in try database.execute(statement) }
    }
  }
}
