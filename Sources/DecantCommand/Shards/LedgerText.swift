internal import DecantShards
internal import Foundation

/// What the ledgers of all shards say together.
enum LedgerText {
  /// - Parameters:
  ///   - missing: The stores that no ledger has.
  ///   - isExact: Whether a manifest was compared, so that shards without a ledger count.
  static func lines(_ sum: LedgerSum, missing: Int, isExact: Bool) -> [String] {
    var lines = [
      "\(Quantity.count(sum.ledgers, "ledger")): \(Quantity.count(sum.done)) done, "
        + "\(Quantity.count(sum.stores[.refused] ?? 0)) refused, \(Quantity.count(sum.stores[.later] ?? 0)) to try "
        + "again, \(Quantity.count(missing)) missing, \(Quantity.count(sum.twice)) twice."
    ]
    if let current = sum.stores[.current] {
      lines.append("Had the target version already: \(Quantity.count(current)).")
    }
    lines += ShardText.reasons("Refused", sum.stores[.refused], sum.refused)
    lines += ShardText.reasons("To try again", sum.stores[.later], sum.later)
    if !isExact {
      for division in sum.divisions where !division.missingShards.isEmpty {
        lines.append(
          "No ledger of \(Quantity.count(division.missingShards.count, "shard")) of \(division.shards): "
            + Quantity.list(division.missingShards.map(String.init), shown: 10) + ".")
      }
    }
    lines.append(
      "Objects: \(Quantity.count(sum.rows)). Lost values and objects: \(Quantity.count(sum.losses)), in "
        + "\(Quantity.count(sum.lossyStores, "store")).")
    if let rate = rate(sum, sum.wallSeconds) {
      lines.append(
        "\(Quantity.bytes(sum.bytes)) in \(Quantity.duration(sum.wallSeconds)): \(ShardText.rate(rate)) stores/s"
          + (self.rate(sum, sum.shardSeconds).map { ", \(ShardText.rate($0)) in each running shard" } ?? "")
          + ".")
    }
    if sum.unreadable > 0 {
      lines.append(
        "Lines that can't be read: \(Quantity.count(sum.unreadable)). Running the shard again writes them again."
      )
    }
    if sum.headless > 0 {
      lines.append(
        "Ledgers whose run ended at its start: \(Quantity.count(sum.headless)). Run their shards again.")
    }
    return lines
  }

  static func json(_ sum: LedgerSum, missing: Int) -> JSON {
    .object([
      "ledgers": .integer(sum.ledgers), "done": .integer(sum.stores[.done] ?? 0),
      "current": .integer(sum.stores[.current] ?? 0), "refused": .integer(sum.stores[.refused] ?? 0),
      "later": .integer(sum.stores[.later] ?? 0), "missing": .integer(missing), "twice": .integer(sum.twice),
      "refusedByReason": .object(sum.refused.mapValues(JSON.integer)),
      "laterByReason": .object(sum.later.mapValues(JSON.integer)),
      "missingShards": .array(
        sum.divisions.flatMap { division in
          division.missingShards.map { .string("\($0)/\(division.shards)") }
        }), "rows": .integer(sum.rows), "bytes": .integer(sum.bytes), "losses": .integer(sum.losses),
      "storesWithLosses": .integer(sum.lossyStores), "unreadableLines": .integer(sum.unreadable),
      "headlessLedgers": .integer(sum.headless),
      "seconds": .real(sum.wallSeconds), "shardSeconds": .real(sum.shardSeconds),
      "storesPerSecond": rate(sum, sum.wallSeconds).map(JSON.real) ?? .null,
    ])
  }

  private static func rate(_ sum: LedgerSum, _ seconds: Double) -> Double? {
    let settled = sum.done + (sum.stores[.refused] ?? 0)
    return seconds > 0 && settled > 0 ? Double(settled) / seconds : nil
  }
}
