internal import DecantConsole
internal import DecantModel
internal import DecantStore

/// Properties of the database file (docs/formats/core-data-sqlite.md 10).
struct StoreFileFacts {
  let pageSize: Int
  let pageCount: Int
  let freePages: Int
  /// `none`, `full` or `incremental`.
  let autoVacuum: String
  let encoding: String
  let usesWriteAheadLog: Bool

  init(_ store: SourceStore) throws(StoreError) {
    func number(_ pragma: String) throws(StoreError) -> Int {
      Int(try store.rows("PRAGMA \(pragma)").first?.first?.integer ?? 0)
    }
    pageSize = store.pageSize
    pageCount = try number("page_count")
    freePages = try number("freelist_count")
    let level = try number("auto_vacuum")
    autoVacuum = level == 0 ? "none" : level == 1 ? "full" : "incremental"
    encoding = if case .text(let name)? = try store.rows("PRAGMA encoding").first?.first { name } else { "?" }
    usesWriteAheadLog = store.usesWriteAheadLog
  }

  var text: String {
    "\(counted(pageCount, "page")) of \(grouped(pageSize)) bytes"
      + (freePages > 0 ? ", \(grouped(freePages)) of them free" : "")
      + ", auto-vacuum \(autoVacuum), \(encoding)"
  }

  var json: JSON {
    .object([
      "pageSize": .integer(pageSize), "pageCount": .integer(pageCount), "freePages": .integer(freePages),
      "autoVacuum": .string(autoVacuum), "encoding": .string(encoding),
    ])
  }
}
