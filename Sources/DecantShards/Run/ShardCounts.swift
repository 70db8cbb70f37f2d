internal import DecantReport
package import FileNames

/// What became of a shard's stores so far, by this run and by earlier ones.
package struct ShardCounts: Sendable, Hashable {
  package var stores = 0
  /// The number of records of the manifest that name a store of the shard again.
  package var duplicates = 0
  /// The settled stores by result, including those that the ledger had already.
  package var results: [LedgerLine.Result: Int] = [:]
  /// The stores that the ledger had already.
  package var skipped = 0
  /// The source bytes of the settled stores.
  package var bytes = 0
  /// The number of source objects of the settled stores.
  package var rows = 0
  /// The number of lost values and objects of the settled stores.
  package var losses = 0
  /// The number of refused stores by reason, including those that the ledger had already.
  package var refused: [String: Int] = [:]
  /// The number of stores to try again later, by reason.
  package var later: [String: Int] = [:]
  /// The number of refused stores that still have an earlier result in the output.
  package var stale = 0
  /// The first stores that aren't migrated, in the order of their paths' bytes.
  package private(set) var examples: [Example] = []
  package var isStopped = false
  /// The fault of a file or folder that ended the run, such as an output folder that can't be written.
  package var obstacle: String?
  /// Seconds since the run began.
  package var seconds = 0.0
  /// The bytes of the ledger's torn last line that were removed.
  package var tornBytes = 0
  /// The complete lines of the ledger that couldn't be read.
  package var unreadableLines = 0

  package struct Example: Sendable, Hashable {
    package var path: FileName
    package var reason: String
    /// `nil` if an earlier run settled the store; its line in the ledger has the message.
    package var message: String?
  }

  private static let mostExamples = 10

  package init() {}

  package var settled: Int { results.values.reduce(0, +) }
  package var done: Int { (results[.done] ?? 0) + (results[.current] ?? 0) }
  package var isComplete: Bool { settled == stores && results[.later] ?? 0 == 0 && obstacle == nil }

  /// Whether this user may read none of the stores.
  package var isForbidden: Bool { stores > 0 && later[FailureReason.permission.word] == stores }

  /// The number of stores per second in this run; `nil` before the run has settled a store.
  package var rate: Double? {
    let own = settled - skipped
    return own > 0 && seconds > 0 ? Double(own) / seconds : nil
  }

  /// The seconds that the remaining stores will take; `nil` before the rate is known.
  package var secondsLeft: Double? { rate.map { Double(stores - settled) / $0 } }

  mutating func take(_ line: LedgerLine) {
    results[line.result, default: 0] += 1
    bytes &+= line.size ?? 0
    rows &+= line.rows ?? 0
    losses &+= line.losses ?? 0
    switch line.result {
    case .done, .current: return
    case .refused:
      refused[line.reason ?? "", default: 0] += 1
      if line.staleResult != nil { stale += 1 }
    case .later: later[line.reason ?? "", default: 0] += 1
    }
    note(Example(path: line.source, reason: line.reason ?? "", message: line.message))
  }

  mutating func skip(_ path: FileName, _ settled: LedgerFile.Settled, bytes: Int) {
    results[settled.result, default: 0] += 1
    skipped += 1
    self.bytes &+= bytes
    rows &+= settled.rows
    losses &+= settled.losses
    guard settled.result == .refused else { return }
    refused[settled.reason, default: 0] += 1
    if settled.isStale { stale += 1 }
    note(Example(path: path, reason: settled.reason))
  }

  /// Keeps the list sorted, because stores end in any order.
  private mutating func note(_ example: Example) {
    let place = examples.firstIndex { example.path < $0.path } ?? examples.endIndex
    guard place < Self.mostExamples else { return }
    examples.insert(example, at: place)
    if examples.count > Self.mostExamples { examples.removeLast() }
  }
}
