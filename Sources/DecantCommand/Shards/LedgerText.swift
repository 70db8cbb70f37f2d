internal import DecantConsole
internal import DecantModel
internal import DecantReport
internal import DecantShards
internal import Foundation

/// The sum of the ledgers of all shards, as text and as JSON.
enum LedgerText {
  static func lines(_ sum: LedgerSum) -> [String] {
    var lines = [
      "\(counted(sum.ledgers, "ledger")): \(grouped(sum.done)) done, "
        + "\(grouped(sum.stores[.refused] ?? 0)) refused, \(grouped(sum.stores[.later] ?? 0)) to try "
        + "again, \(grouped(sum.missing)) missing, \(grouped(sum.twice)) twice."
    ]
    if let current = sum.stores[.current] {
      lines.append("Had the target version already: \(grouped(current)).")
    }
    lines += ShardText.reasons("Refused", sum.stores[.refused], sum.refused)
    lines += ShardText.stale(sum.stale)
    lines += ShardText.reasons("To try again", sum.stores[.later], sum.later)
    if !sum.refused.isEmpty || !sum.later.isEmpty || sum.manifest != nil && sum.missing > 0 {
      lines.append("“--list” names each store without a result, and says why.")
    }
    lines += sum.divisions.flatMap { shards($0, isExact: sum.manifest != nil) }
    if sum.manifest != nil {
      if sum.divisions.isEmpty { lines.append("No ledger is of this manifest.") }
      if sum.foreign > 0 {
        lines.append(
          "Not counted: \(counted(sum.foreign, "store")) that the ledgers have, but not the manifest.")
      }
    }
    lines.append(
      "Objects: \(grouped(sum.rows)). Lost values and objects: \(grouped(sum.losses)), in "
        + "\(counted(sum.lossyStores, "store")).")
    if let rate = rate(sum, sum.wallSeconds) {
      lines.append(
        "\(Quantity.bytes(sum.bytes)) in \(DurationText.of(sum.wallSeconds)): \(ShardText.rate(rate)) stores/s"
          + (self.rate(sum, sum.shardSeconds).map { ", \(ShardText.rate($0)) in each running shard" } ?? "")
          + ".")
    }
    if sum.unreadable > 0 {
      lines.append(
        "Lines that can't be read: \(grouped(sum.unreadable)). "
          + (sum.missing > 0 || sum.hasUnfinishedShards
            ? "Run the shard again: it writes new lines for their stores."
            : "They matter no more: other lines have all stores."))
    }
    if sum.headless > 0 {
      lines.append(
        "Ledgers whose run ended at its start: \(grouped(sum.headless)). Run their shards again.")
    }
    return lines
  }

  private static func shards(_ division: LedgerSum.Division, isExact: Bool) -> [String] {
    let kinds = [
      ("Not finished:", division.unfinishedShards.sorted()),
      ("No ledger of", isExact ? [] : division.missingShards),
    ]
    return kinds.filter { !$0.1.isEmpty }.map { words, shards in
      "\(words) \(counted(shards.count, "shard")) of \(grouped(division.shards)): "
        + Quantity.list(shards.map(String.init), shown: 10) + "."
    }
  }

  /// The line of a store without a result: `refused`, `later` or `missing`, then reason, path and message, separated by
  /// tabs.
  static func line(_ store: OpenStores.Store) -> String {
    [
      result(store), PlainText.of(store.line?.reason ?? ""), store.path.description,
      PlainText.of(store.line?.message ?? ""),
    ].joined(separator: "\t")
  }

  static func json(_ store: OpenStores.Store) -> JSON {
    let path = WrittenPath(store.path)
    return .object([
      "result": .string(result(store)), "reason": .optional(store.line?.reason), "path": .string(path.text),
      "pathBytes": .optional(path.bytes), "message": .optional(store.line?.message),
      "staleResult": .optional(store.line?.staleResult),
    ])
  }

  private static func result(_ store: OpenStores.Store) -> String {
    store.line?.result.rawValue ?? "missing"
  }

  /// - Parameter listed: The stores without a result, if they were asked for.
  static func json(_ sum: LedgerSum, listed: [JSON]?) -> JSON {
    var object: [String: JSON] = [
      "ledgers": .integer(sum.ledgers), "done": .integer(sum.done),
      "current": .integer(sum.stores[.current] ?? 0), "refused": .integer(sum.stores[.refused] ?? 0),
      "later": .integer(sum.stores[.later] ?? 0), "missing": .integer(sum.missing),
      "twice": .integer(sum.twice), "staleResults": .integer(sum.stale),
      "refusedByReason": .object(sum.refused.mapValues(JSON.integer)),
      "laterByReason": .object(sum.later.mapValues(JSON.integer)),
      "missingShards": shards(sum) { $0.missingShards },
      "unfinishedShards": shards(sum) { $0.unfinishedShards.sorted() },
      "foreign": .integer(sum.foreign), "rows": .integer(sum.rows), "bytes": .integer(sum.bytes),
      "losses": .integer(sum.losses),
      "storesWithLosses": .integer(sum.lossyStores), "unreadableLines": .integer(sum.unreadable),
      "headlessLedgers": .integer(sum.headless),
      "seconds": .real(sum.wallSeconds), "shardSeconds": .real(sum.shardSeconds),
      "storesPerSecond": rate(sum, sum.wallSeconds).map(JSON.real) ?? .null,
    ]
    if let listed { object["stores"] = .array(listed) }
    return .object(object)
  }

  private static func shards(_ sum: LedgerSum, _ numbers: (LedgerSum.Division) -> [Int]) -> JSON {
    .strings(
      sum.divisions.flatMap { division in numbers(division).map { "\($0)/\(division.shards)" } })
  }

  private static func rate(_ sum: LedgerSum, _ seconds: Double) -> Double? {
    let settled = sum.done + (sum.stores[.refused] ?? 0)
    return seconds > 0 && settled > 0 ? Double(settled) / seconds : nil
  }
}
