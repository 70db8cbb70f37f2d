internal import DecantSQLite
internal import Synchronization

/// The result of comparing a store's indexes with its tables; complete when the store's checks have ended.
package final class IndexAgreement: Sendable {
  fileprivate let first = Mutex<String?>(nil)

  /// The first difference, as the end of a sentence; `nil` if there is none.
  package var finding: String? { first.withLock { $0 } }
}

extension SourceStore {
  /// Compares the indexes of tables with the tables, in parallel for a large store.
  ///
  /// A difference isn't an error: a store that is written anew gets new indexes.
  ///
  /// - Throws: `StoreError` for a small store that can't be read.
  package func compareIndexes(of tables: [String]) throws(StoreError) -> IndexAgreement {
    let agreement = IndexAgreement()
    for table in tables {
      let reader = StoreReader(path: path, seconds: seconds)
      try check { database throws(StoreError) in
        let findings: [String]
        do throws(SQLiteError) { findings = try IndexComparison(database: database).findings(of: table) } catch
        {
          throw reader.judge(error)
        }
        if let finding = findings.first { agreement.first.withLock { $0 = $0 ?? finding } }
      }
    }
    return agreement
  }

  /// Why a copy of the file that is read can't be changed into a store in Core Data's form, as the end of a sentence;
  /// `nil` if it can.
  package func alterationObstacle() throws(StoreError) -> String? {
    if let obstacle = try StoreFileHeader(readingFrom: readPath).alterationObstacle { return obstacle }
    return schema.tables["sqlite_sequence"] == nil ? nil : "the store has the table sqlite_sequence"
  }

  /// Whether a table has the columns of a layout, in any order, and nothing else.
  ///
  /// Core Data appends columns when it alters a table in place (docs/formats/core-data-sqlite.md 9.1).
  package func isPlain(_ table: String, in layout: StoreLayout) -> Bool {
    guard let wanted = layout.statement(ofTable: table), let statement = statements[table],
      let physical = schema.tables[table],
      physical.count == wanted.columns.count
    else { return false }
    let types = Dictionary(wanted.columns.map { ($0.name, $0.type) }) { first, _ in first }
    let columns = physical.compactMap { name in types[name].map { (name, $0) } }
    return columns.count == physical.count
      && TableStatement(table: table, columns: columns, primaryKey: wanted.primaryKey).says(statement)
  }
}
