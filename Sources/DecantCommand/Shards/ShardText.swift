internal import DecantConsole
internal import DecantModel
internal import DecantReport
internal import DecantShards
internal import FileNames
internal import Foundation

/// The output at the end of a run, as text and as JSON.
enum ShardText {
  /// Most numbers are those of the whole shard, with the stores of earlier runs.
  static func lines(_ counts: ShardCounts, _ settings: ShardSettings) -> [String] {
    var lines = [
      "Shard \(settings.shard): \(grouped(counts.settled)) of \(counted(counts.stores, "store")), "
        + "\(Quantity.bytes(counts.bytes)).",
      "This run: \(counted(counts.settled - counts.skipped, "store")) in \(DurationText.of(counts.seconds))"
        + (counts.rate.map { " (\(rate($0)) stores/s)" } ?? "")
        + (counts.skipped > 0 ? "; \(grouped(counts.skipped)) settled by an earlier run" : "") + ".",
      "Done: \(grouped(counts.done))"
        + (counts.results[.current].map { "; \(grouped($0)) of them had the target version already" }
          ?? "")
        + ".",
    ]
    if counts.losses > 0 { lines.append("Lost values and objects: \(grouped(counts.losses)).") }
    lines += reasons("Refused", counts.results[.refused], counts.refused)
    lines += stale(counts.stale)
    lines += reasons("To try again", counts.results[.later], counts.later)
    lines += examples(counts)
    if counts.duplicates > 0 {
      lines.append(
        "Named more than once in the manifest, and migrated once: \(grouped(counts.duplicates)).")
    }
    if counts.tornBytes > 0 {
      lines.append("The ledger's last line was torn (\(Quantity.bytes(counts.tornBytes))); it was removed.")
    }
    if counts.unreadableLines > 0 {
      lines.append("Lines of the ledger that can't be read: \(grouped(counts.unreadableLines)).")
    }
    if let obstacle = counts.obstacle { lines.append("Ended early: \(PlainText.of(obstacle))") }
    if counts.isStopped { lines.append("Stopped; the same command continues from here.") }
    return lines + ["Ledger: \(PrintedName.of(settings.ledger))"]
  }

  private static func examples(_ counts: ShardCounts) -> [String] {
    let all = (counts.results[.refused] ?? 0) + (counts.results[.later] ?? 0)
    let rest = all - counts.examples.count
    return counts.examples.map { "  " + store($0.path, $0.message ?? $0.reason) }
      + (rest > 0 ? ["  … and \(grouped(rest)) more; “decant ledger LEDGER --list” names them."] : [])
  }

  /// A store's path and the words about it; if the words contain the path already, only the words.
  static func store(_ path: FileName, _ words: String) -> String {
    let words = PlainText.of(words)
    return words.contains(path.description) ? words : "\(path): \(words)"
  }

  static func stale(_ count: Int) -> [String] {
    count == 0
      ? []
      : [
        "\(counted(count, "refused store")) still \(count == 1 ? "has" : "have") an earlier result in the output, of "
          + "another source or other settings. “staleResult” in the ledger names its folder."
      ]
  }

  static func reasons(_ title: String, _ count: Int?, _ reasons: [String: Int]) -> [String] {
    guard let count, count > 0 else { return [] }
    return ["\(title): \(grouped(count))."]
      + reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "  \(grouped($0.value)) \(PlainText.of($0.key))" }
  }

  static func json(_ counts: ShardCounts, _ settings: ShardSettings, exitCode: Int32) -> JSON {
    .object([
      "shard": .integer(settings.shard.number), "shards": .integer(settings.shard.count),
      "stores": .integer(counts.stores), "settled": .integer(counts.settled),
      "done": .integer(counts.done), "current": .integer(counts.results[.current] ?? 0),
      "refused": .integer(counts.results[.refused] ?? 0), "later": .integer(counts.results[.later] ?? 0),
      "staleResults": .integer(counts.stale),
      "skipped": .integer(counts.skipped), "duplicates": .integer(counts.duplicates),
      "bytes": .integer(counts.bytes), "rows": .integer(counts.rows), "losses": .integer(counts.losses),
      "seconds": .real(counts.seconds), "storesPerSecond": counts.rate.map(JSON.real) ?? .null,
      "refusedByReason": .object(counts.refused.mapValues(JSON.integer)),
      "laterByReason": .object(counts.later.mapValues(JSON.integer)),
      "stopped": .boolean(counts.isStopped), "obstacle": .optional(counts.obstacle),
      "ledger": .string(settings.ledger), "exitCode": .integer(Int(exitCode)),
    ])
  }

  static func rate(_ rate: Double) -> String {
    rate >= 100 ? grouped(Int(rate)) : String(format: "%.1f", rate)
  }
}
