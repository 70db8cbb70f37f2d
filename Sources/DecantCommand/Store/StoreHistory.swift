internal import DecantConsole
internal import DecantModel
internal import DecantSQLite
internal import DecantStore
internal import Foundation

/// The content of persistent history (docs/formats/core-data-sqlite.md 8).
struct StoreHistory {
  /// The largest number of names that each query reads.
  private static let mostNames = 20

  let transactions: Int
  let changes: Int
  /// Seconds since 2001-01-01 00:00:00 UTC; `nil` if no transaction has a time.
  let oldest: Double?
  let newest: Double?
  let authors: [String]
  /// The bundle identifiers of the processes that wrote the transactions.
  let bundles: [String]

  /// `nil` if the store has no history tables.
  init?(_ store: SourceStore) throws(StoreError) {
    guard !store.historyTables.isEmpty else { return nil }
    func columns(_ table: String) -> Set<String> { Set(store.schema.tables[table] ?? []) }
    func count(_ table: String) throws(StoreError) -> Int {
      guard store.schema.tables[table] != nil else { return 0 }
      return Int(try store.rows("SELECT count(*) FROM \(quoted(table))").first?.first?.integer ?? 0)
    }
    func texts(_ query: String) throws(StoreError) -> [String] {
      try store.rows(query).compactMap {
        if case .text(let text)? = $0.first, !text.isEmpty { text } else { nil }
      }
    }
    transactions = try count("ATRANSACTION")
    changes = try count("ACHANGE")
    let own = columns("ATRANSACTION")
    var times: [Double?] = [nil, nil]
    if own.contains("ZTIMESTAMP") {
      let row = try store.rows(
        "SELECT min(ZTIMESTAMP), max(ZTIMESTAMP) FROM ATRANSACTION WHERE typeof(ZTIMESTAMP) IN ('real', 'integer')"
      )
      times = (row.first ?? []).map(Self.seconds)
    }
    oldest = times.first ?? nil
    newest = times.last ?? nil
    let hasStrings = columns("ATRANSACTIONSTRING").isSuperset(of: ["Z_PK", "ZNAME"])
    /// Names are in the transaction or in the table of strings.
    func names(_ column: String) throws(StoreError) -> [String] {
      var names: Set<String> = []
      if own.contains(column) {
        names.formUnion(
          try texts("SELECT DISTINCT substr(\(column), 1, 200) FROM ATRANSACTION LIMIT \(Self.mostNames)"))
      }
      if own.contains(column + "TS"), hasStrings {
        names.formUnion(
          try texts(
            "SELECT substr(ZNAME, 1, 200) FROM ATRANSACTIONSTRING WHERE Z_PK IN (SELECT \(column)TS FROM ATRANSACTION) "
              + "LIMIT \(Self.mostNames)"))
      }
      return names.sorted()
    }
    authors = try names("ZAUTHOR")
    bundles = try names("ZBUNDLEID")
  }

  private static func seconds(_ value: SQLiteValue) -> Double? {
    switch value {
    case .real(let seconds): seconds
    case .integer(let seconds): Double(seconds)
    default: nil
    }
  }

  var text: String {
    guard transactions > 0 || changes > 0 else { return "kept, but empty" }
    var text = counted(transactions, "transaction") + ", " + counted(changes, "change")
    if let oldest, let newest {
      let (from, to) = (DateText.of(oldest), DateText.of(newest))
      text += from == to ? ", \(from)" : ", \(from) to \(to)"
    }
    let writers = authors + bundles.filter { !authors.contains($0) }
    return text + (writers.isEmpty ? "" : "; by \(writers.joined(separator: ", "))")
  }

  var json: JSON {
    .object([
      "transactions": .integer(transactions), "changes": .integer(changes),
      "oldest": .optional(oldest.map(DateText.of)), "newest": .optional(newest.map(DateText.of)),
      "authors": .strings(authors), "bundles": .strings(bundles),
    ])
  }
}

/// Dates as text that scripts can read.
enum DateText {
  /// ISO 8601, or the number of seconds if the calendar doesn't reach so far.
  static func of(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e11 else { return "\(seconds)" }
    return Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format()
  }
}
