internal import DecantSQLite

/// Runs `PRAGMA integrity_check` over the destination.
struct IntegrityCheck {
  private let stores: StorePair

  init(_ stores: StorePair) {
    self.stores = stores
  }

  func run(_ findings: inout Findings) throws(SQLiteError) {
    let texts = try stores.database.rows("PRAGMA main.integrity_check(20)").compactMap { row in
      if case .text(let text)? = row.first { text } else { nil }
    }
    if texts != ["ok"] { findings.add(.damage, count: texts.count, examples: texts) }
  }
}
