internal import DecantReport
package import FileNames
internal import Foundation
internal import Glibc

/// The sum of the ledgers of many shards.
///
/// The sum needs about 80 bytes of memory for each line.
package struct LedgerSum: Sendable {
  private struct Entry {
    var key: PathKey
    var place: Place
    /// The first half of `LedgerLine.mark`; 0 without one.
    var mark: UInt64
    /// Microseconds since 1970; each line of a ledger has a later moment than the line before it.
    var moment: Int64
    var bytes: Int
    var rows: Int
    var losses: Int
    var result: LedgerLine.Result
    var reason: UInt16
    /// `LedgerLine.found`.
    var isFound: Bool
    /// Whether the line has `LedgerLine.staleResult`.
    var isStale: Bool

    var isDone: Bool { result == .done || result == .current }
  }

  private struct Place: Hashable {
    /// The number of the ledger.
    var ledger: UInt32
    /// The line's first byte.
    var offset: Int
  }

  /// The time of a run, from its start to its last line.
  private struct Run {
    var start: Date
    var end: Date
    /// Whether the run has the sum's manifest, or has a line for a store of that manifest.
    ///
    /// Always true if the sum is of all stores.
    var isOwn: Bool
  }

  private struct NewestRun {
    var head: LedgerHead
    /// Whether an earlier run of the ledger was finished, or had other settings.
    ///
    /// Then the lines of stores that this run hasn't reached may be out of date.
    var followsOthers: Bool
    var isFinished = false
  }

  /// A manifest, and the number of shards into which the runs divided its stores.
  ///
  /// A retry has its own manifest, so ledgers in one folder can have several divisions.
  package struct Division: Sendable {
    package var manifest: String
    package var path: String
    package var shards: Int
    /// The number of stores by shard.
    package var stores: [Int: Int] = [:]
    /// The shards without a ledger.
    package var missingShards: [Int] { (1...shards).filter { stores[$0] == nil } }
    /// The shards that have to run again.
    ///
    /// The last run of such a shard ended before it had looked at all stores again. If the sum is of one manifest, a
    /// shard with stores that are missing or to be tried again belongs here, too.
    package fileprivate(set) var unfinishedShards: Set<Int> = []
  }

  package private(set) var ledgers = 0
  /// The ledgers without a complete first line; their manifest and shard aren't known.
  package private(set) var headless = 0
  /// The divisions that the ledgers name; if the sum is of one manifest, only those of that manifest.
  package private(set) var divisions: [Division] = []
  /// The number of stores by result.
  ///
  /// The newest line of a store decides. But if the ledgers have a result of the same source and settings as in this
  /// line, that result decides.
  package private(set) var stores: [LedgerLine.Result: Int] = [:]
  /// The refused stores by reason.
  package private(set) var refused: [String: Int] = [:]
  /// The stores to be tried again, by reason.
  package private(set) var later: [String: Int] = [:]
  /// The number of stores that no ledger has.
  ///
  /// With a manifest, the manifest's stores are counted. Without a manifest, the stores of the largest division are
  /// counted, in the shards that have a ledger.
  package private(set) var missing = 0
  /// The number of stores that were migrated twice in succession from the same source with the same settings.
  package private(set) var twice = 0
  /// The number of refused stores that still had an earlier result in the output.
  package private(set) var stale = 0
  package private(set) var losses = 0
  package private(set) var lossyStores = 0
  package private(set) var rows = 0
  package private(set) var bytes = 0
  /// The number of lines that can't be read, including torn last lines.
  package private(set) var unreadable = 0
  /// The number of stores that the ledgers have, but the manifest doesn't; no other number includes them.
  package var foreign: Int { foreignKeys.count }
  /// The seconds in which at least one shard ran, over all ledgers.
  package private(set) var wallSeconds = 0.0
  /// The seconds of all runs of all shards.
  package private(set) var shardSeconds = 0.0

  /// Only the stores of this manifest are counted; `nil` for all stores.
  package let manifest: ManifestIndex?
  private var foreignKeys: Set<PathKey> = []
  private var entries: [Entry] = []
  private var reasons: [String] = [""]
  private var reasonNumbers: [String: UInt16] = ["": 0]
  private var runs: [Run] = []
  /// For each store without a result, the place of the line that decides; filled by `finish`.
  private var unsettled: [PathKey: Place] = [:]
  private var known: Set<PathKey> = []
  /// The stores to be tried again.
  private var waiting: Set<PathKey> = []

  package init(of manifest: ManifestIndex? = nil) { self.manifest = manifest }

  /// Adds a ledger.
  ///
  /// If this throws, no line of the ledger is counted.
  package mutating func add(_ path: String) throws(ShardError) {
    let before = (entries.count, unreadable, runs.count, shardSeconds)
    var foreign: Set<PathKey> = []
    var heads: [LedgerHead] = []
    let newest: NewestRun?
    do throws(ShardError) {
      newest = try read(path, &foreign, &heads)
    } catch {
      entries.removeLast(entries.count - before.0)
      (unreadable, shardSeconds) = (before.1, before.3)
      runs.removeLast(runs.count - before.2)
      throw error
    }
    for head in heads { note(head) }
    if let newest, newest.followsOthers, !newest.isFinished, let division = division(of: newest.head) {
      divisions[division].unfinishedShards.insert(newest.head.shard)
    }
    foreignKeys.formUnion(foreign)
    ledgers += 1
  }

  private mutating func read(
    _ path: String, _ foreign: inout Set<PathKey>, _ heads: inout [LedgerHead]
  ) throws(ShardError) -> NewestRun? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .file(path: path, action: "read", code: errno) }
    defer { _ = Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notAFile(path: path)
    }
    var reader = RecordReader(descriptor, separator: 0x0A, limit: LedgerRecord.limit)
    var run: Run?
    var newest: NewestRun?
    var hasHead = false
    var moment = Int64.min
    while true {
      let next: RecordReader.Record?
      let place = reader.place
      do throws(RecordReader.Fault) {
        next = try reader.next()
      } catch {
        if ZeroTail.length(descriptor, from: place) != nil {
          unreadable += 1
          break
        }
        guard hasHead || error.isOfDisk else { throw .notALedger(path: path) }
        unreadable += 1
        if try reader.skipLong(error, of: path) { continue }
        break
      }
      guard let next else { break }
      let record = next.isEnded ? LedgerRecord(next.bytes) : nil
      switch record {
      case .run(let head)?:
        guard head.ledger <= LedgerHead.format else { throw .newerLedger(path: path, format: head.ledger) }
        hasHead = true
        let follows = newest.map { $0.isFinished || $0.followsOthers || $0.head.settings != head.settings }
        newest = NewestRun(head: head, followsOthers: follows ?? false)
        end(run)
        let isOwn = manifest == nil || head.manifest == manifest?.digest
        run = Timestamp.date(head.started).map { Run(start: $0, end: $0, isOwn: isOwn) }
        if isOwn { heads.append(head) }
      case .end(let started)?:
        // Two runs of the shard may have run at the same time.
        if newest?.head.started == started { newest?.isFinished = true }
      case .store(let line)?:
        guard hasHead else { throw .notALedger(path: path) }
        if let ended = Timestamp.date(line.ended) {
          // The clock may have been set back during the run.
          if let start = run?.start { run?.end = max(start, ended) }
          moment = max(moment, Int64(max(-1e12, min(1e12, ended.timeIntervalSince1970)) * 1_000_000))
        }
        // The machines' clocks differ, so the lines of one ledger are ordered by their place.
        moment += 1
        let key = PathKey(of: line.source)
        if manifest?.contains(key) ?? true {
          run?.isOwn = true
          take(line, key, moment, Place(ledger: UInt32(clamping: ledgers), offset: place))
        } else {
          foreign.insert(key)
        }
      case nil where next.bytes.isEmpty: break
      case nil:
        // A ledger whose only line is torn belongs to a run that was ended at its start. It is still a ledger.
        guard hasHead || !next.isEnded else { throw .notALedger(path: path) }
        unreadable += 1
      }
    }
    if !hasHead { headless += 1 }
    end(run)
    return newest
  }

  private mutating func end(_ run: Run?) {
    guard let run, run.isOwn else { return }
    shardSeconds += run.end.timeIntervalSince(run.start)
    runs.append(run)
  }

  private func division(of head: LedgerHead) -> Int? {
    divisions.firstIndex { $0.manifest == head.manifest && $0.shards == head.shards }
  }

  private mutating func note(_ head: LedgerHead) {
    guard (1...Shard.most).contains(head.shards), (1...head.shards).contains(head.shard) else { return }
    var index = division(of: head)
    if index == nil {
      divisions.append(Division(manifest: head.manifest, path: head.manifestPath, shards: head.shards))
      index = divisions.count - 1
    }
    // With this limit, the sum of all shards doesn't overflow.
    if let index { divisions[index].stores[head.shard] = min(max(0, head.stores), 1 << 40) }
  }

  private mutating func take(_ line: LedgerLine, _ key: PathKey, _ moment: Int64, _ place: Place) {
    let reason = line.reason ?? ""
    var number = reasonNumbers[reason]
    if number == nil, reasons.count < Int(UInt16.max) {
      number = UInt16(reasons.count)
      reasonNumbers[reason] = number
      reasons.append(reason)
    }
    entries.append(
      Entry(
        key: key, place: place, mark: line.mark?.high ?? 0, moment: moment, bytes: line.size ?? 0,
        rows: line.rows ?? 0, losses: line.losses ?? 0, result: line.result, reason: number ?? 0,
        isFound: line.found ?? false, isStale: line.staleResult != nil))
  }

  /// Counts the stores, after the last ledger was added.
  package mutating func finish() {
    entries.sort { ($0.key, $0.moment) < ($1.key, $1.moment) }
    var index = entries.startIndex
    while index < entries.endIndex {
      let end = entries[index...].firstIndex { $0.key != entries[index].key } ?? entries.endIndex
      count(entries[index..<end])
      index = end
    }
    entries = []
    if let manifest {
      missing = manifest.keys.count - known.count
      findUnfinished(manifest)
    } else {
      // Each retry has its own manifest with a part of the stores, so only the division with the most stores counts.
      let wanted = divisions.map { $0.stores.values.reduce(0, +) }.max() ?? 0
      missing = max(0, wanted - known.count)
    }
    wallSeconds = runningSeconds()
  }

  private func runningSeconds() -> Double {
    var (seconds, end) = (0.0, Date.distantPast)
    for run in runs.sorted(by: { $0.start < $1.start }) where run.end > end {
      seconds += run.end.timeIntervalSince(max(run.start, end))
      end = run.end
    }
    return seconds
  }

  private mutating func count(_ lines: ArraySlice<Entry>) {
    guard let newest = lines.last else { return }
    known.insert(newest.key)
    let done = lines.filter(\.isDone)
    // A result that a later run found again was made only once.
    let made = done.filter { !$0.isFound }
    // A store that was migrated with other settings in between was migrated again on purpose.
    if zip(made, made.dropFirst()).contains(where: { $0.mark == $1.mark }) { twice += 1 }
    let settled = newest.mark == 0 ? newest : done.last { $0.mark == newest.mark } ?? newest
    stores[settled.result, default: 0] += 1
    switch settled.result {
    case .done, .current:
      rows &+= settled.rows
      bytes &+= settled.bytes
      losses &+= settled.losses
      if settled.losses > 0 { lossyStores += 1 }
    case .refused:
      refused[reasons[Int(settled.reason)], default: 0] += 1
      if settled.isStale { stale += 1 }
    case .later: later[reasons[Int(settled.reason)], default: 0] += 1
    }
    if !settled.isDone { unsettled[newest.key] = settled.place }
    if settled.result == .later { waiting.insert(newest.key) }
  }

  private mutating func findUnfinished(_ manifest: ManifestIndex) {
    for index in divisions.indices {
      let count = divisions[index].shards
      for key in manifest.keys where waiting.contains(key) || !known.contains(key) {
        divisions[index].unfinishedShards.insert(Shard.number(of: key, count))
      }
    }
  }

  /// Whether a shard has to run again, even if all its stores have results.
  package var hasUnfinishedShards: Bool { divisions.contains { !$0.unfinishedShards.isEmpty } }
  package var done: Int { (stores[.done] ?? 0) + (stores[.current] ?? 0) }
  package var unfinished: Int { missing + (stores[.later] ?? 0) }

  package func isMissing(_ path: FileName) -> Bool { !known.contains(PathKey(of: path)) }

  /// Whether a line decides how its store is counted, and the store has no result.
  ///
  /// - Parameters:
  ///   - ledger: The number of the line's ledger, in the order in which ledgers were added, from 0.
  ///   - offset: The place of the line's first byte in the ledger.
  package func decides(_ line: LedgerLine, ledger: Int, offset: Int) -> Bool {
    unsettled[PathKey(of: line.source)] == Place(ledger: UInt32(clamping: ledger), offset: offset)
  }
}
