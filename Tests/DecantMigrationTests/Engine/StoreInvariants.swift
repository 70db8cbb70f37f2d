import DecantModel
import DecantSQLite
import DecantStore
import Foundation
import KeyedArchive
import Testing

/// Conditions that every migrated store must meet, whatever its models.
struct StoreInvariants {
  let source: LogicalStore
  let result: LogicalStore
  let output: URL

  func check() throws {
    #expect(result.faults == [])
    try checkFile()
    try checkMetadata()
    try checkSchema()
    try checkKeys()
  }

  private func checkFile() throws {
    for suffix in ["-wal", "-shm", "-journal"] {
      #expect(!FileManager.default.fileExists(atPath: output.path + suffix), "a file \(suffix) is left")
    }
    #expect(try result.store.rows("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try result.store.rows("PRAGMA auto_vacuum") == [[.integer(2)]])
    #expect(try result.store.rows("PRAGMA encoding") == [[.text("UTF-8")]])
    #expect(try result.store.rows("PRAGMA user_version") == [[.integer(0)]])
    #expect(result.store.usesWriteAheadLog == source.store.usesWriteAheadLog)
  }

  private func checkMetadata() throws {
    #expect(result.metadata.uuid == source.metadata.uuid)
    #expect(result.metadata.versionHashes == result.model.entityVersionHashes)
    let framework = try #require(result.metadata.framework)
    #expect(framework >= (source.metadata.framework ?? framework))
    let own = Set([
      StoreMetadata.Key.hashes, StoreMetadata.Key.hashesVersion, StoreMetadata.Key.identifiers,
      StoreMetadata.Key.framework, StoreMetadata.Key.digest, StoreMetadata.Key.checksum,
      StoreMetadata.Key.storeType,
      StoreMetadata.Key.autoVacuum,
    ])
    #expect(
      result.metadata.entries.filter { !own.contains($0.key) }
        == source.metadata.entries.filter { !own.contains($0.key) })
    #expect((result.metadata.entries[StoreMetadata.Key.digest] != nil) == framework.writesDigest)
    #expect((result.metadata.entries[StoreMetadata.Key.checksum] != nil) == framework.writesChecksum)
  }

  private func checkSchema() throws {
    let framework = try #require(result.metadata.framework)
    let layout = try StoreLayout(result.model, framework: framework, evidence: result.store.schema)
    let history = Set(source.store.historyStatements)
    let actual = Set(result.store.statements.values).subtracting(history)
    #expect(SchemaForms.sorted(actual) == SchemaForms.sorted(try SchemaStatements(layout).all))
    #expect(Set(result.store.historyTables) == Set(source.store.historyTables))
    try checkHistory()
  }

  /// Checks that changes name entities of the store, and that no counter of the history decreases, even if the history
  /// is emptied.
  private func checkHistory() throws {
    for table in result.store.historyTables {
      let query = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(table.dropFirst())'"
      let mark = try #require(try result.store.rows(query).first?.first?.integer)
      #expect(mark >= (try source.store.rows(query).first?.first?.integer ?? 0))
      #expect(mark >= (try source.store.rows("SELECT max(Z_PK) FROM \(table)").first?.first?.integer ?? 0))
    }
    guard !result.store.historyTables.isEmpty else { return }
    let numbers = result.layout.entityNumbers.values.sorted().map(String.init).joined(separator: ", ")
    #expect(
      try result.store.rows("SELECT count(*) FROM ACHANGE WHERE ZENTITY NOT IN (\(numbers))") == [[.integer(0)]]
    )
  }

  private func checkKeys() throws {
    let rows = try result.store.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    let own = rows.filter { ($0[0].integer ?? 0) < 16_000 }
    #expect(
      own.map { [$0[0], $0[1], $0[2]] }
        == PrimaryKeyRow.rows(of: result.layout).map {
          [.integer(Int64($0.number)), .text($0.name), .integer(Int64($0.superNumber))]
        })
    for row in own {
      guard case .text(let name) = row[1], let table = result.layout.table(of: name) else { continue }
      let largest = try result.store.rows("SELECT max(Z_PK) FROM \(quoted(table.name))")[0][0].integer ?? 0
      if row[2] == .integer(0) {
        #expect((row[3].integer ?? -1) >= largest)
      } else {
        #expect(row[3] == .integer(0))
      }
    }
  }
}
