internal import DecantReport

/// What a shard has done so far.
package struct ShardCounts: Sendable, Hashable {
  /// The stores of the shard.
  package var stores = 0
  /// Records of the manifest that name a store again.
  package var duplicates = 0
  /// The settled stores by result; those that the ledger had already are among them.
  package var results: [LedgerLine.Result: Int] = [:]
  /// The stores that the ledger had already.
  package var skipped = 0
  /// The source bytes of the settled stores.
  package var bytes = 0
  package var rows = 0
  package var losses = 0
  /// The refused stores by reason, those that the ledger had already among them, and the others that may get better.
  package var refused: [String: Int] = [:]
  package var later: [String: Int] = [:]
  /// The first stores of this run that weren't migrated, with the reason.
  package var examples: [String] = []
  package var isStopped = false
  /// Why a part of the stores was left: the output or the ledger can't be written, or --find finds a store no more.
  package var obstacle: String?
  /// Seconds since the run began.
  package var seconds = 0.0
  /// What was found out about an earlier run's ledger.
  package var tornBytes = 0
  package var unreadableLines = 0

  package init() {}

  package var settled: Int { results.values.reduce(0, +) }
  package var done: Int { (results[.done] ?? 0) + (results[.current] ?? 0) }
  package var isComplete: Bool { settled == stores && results[.later] ?? 0 == 0 && obstacle == nil }

  /// Whether this user may read none of the stores.
  package var isForbidden: Bool { stores > 0 && later[FailureReason.permission.word] == stores }

  /// Stores a second in this run; `nil` before the first one.
  package var rate: Double? {
    let own = settled - skipped
    return own > 0 && seconds > 0 ? Double(own) / seconds : nil
  }

  /// The seconds that the rest will take; `nil` before the rate is known.
  package var secondsLeft: Double? { rate.map { Double(stores - settled) / $0 } }

  mutating func take(_ line: LedgerLine) {
    results[line.result, default: 0] += 1
    bytes &+= line.size ?? 0
    rows &+= line.rows ?? 0
    losses &+= line.losses ?? 0
    switch line.result {
    case .done, .current: return
    case .refused: refused[line.reason ?? "", default: 0] += 1
    case .later: later[line.reason ?? "", default: 0] += 1
    }
    if examples.count < 10 { examples.append(line.message ?? line.path) }
  }

  mutating func skip(_ settled: LedgerFile.Settled, bytes: Int) {
    results[settled.result, default: 0] += 1
    if settled.result == .refused { refused[settled.reason, default: 0] += 1 }
    skipped += 1
    self.bytes &+= bytes
  }
}
