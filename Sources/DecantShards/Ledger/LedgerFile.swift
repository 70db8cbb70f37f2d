internal import DecantWorker
internal import Foundation
internal import Synchronization

/// The ledger of one shard, open for appending.
///
/// Lines are durable when `append` returns. No lock protects the file: locks don't hold on all shared file systems. If
/// another run of the shard appends lines, they are read like those of an earlier run.
package final class LedgerFile: Sendable {
  /// What the ledger has of a store.
  struct Settled: Hashable, Sendable {
    var result: LedgerLine.Result
    /// `LedgerLine.mark`.
    var mark: PathKey?
  }

  private struct State {
    /// The end of the lines that were read or written.
    var length = 0
    var settled: [PathKey: Settled] = [:]
    var unreadable = 0
    var tornBytes = 0
  }

  package let path: String
  private let descriptor: Int32
  /// Only held for moments, and not while the disk works.
  private let state = Mutex(State())

  /// Complete lines that aren't lines of a ledger.
  package var unreadable: Int { state.withLock(\.unreadable) }
  /// The bytes of a torn last line that were removed.
  package var tornBytes: Int { state.withLock(\.tornBytes) }

  /// Opens the ledger of a shard, or makes it.
  ///
  /// A torn last line is removed: what it said wasn't durable, and so its store wasn't settled.
  package init(_ path: String, head: LedgerHead) throws(ShardError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else { throw .file(path: path, action: "written", code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notAFile(path: path)
    }
    try checkStart(head)
    try read()
    try mend()
    guard let line = try? LedgerRecord.run(head).encoded() else { throw .notALedger(path: path) }
    try append(line)
    try syncFolder()
  }

  deinit { close(descriptor) }

  private func checkStart(_ head: LedgerHead) throws(ShardError) {
    var reader = RecordReader(descriptor, separator: 0x0A, limit: LedgerRecord.limit)
    let first: RecordReader.Record?
    do throws(RecordReader.Fault) {
      first = try reader.next()
    } catch {
      throw fault(error)
    }
    guard let first else { return }
    guard first.isEnded else {
      // The first line of all was torn. Nothing else may be cut away.
      guard first.bytes.starts(with: LedgerRecord.runStart.prefix(first.bytes.count)) else {
        throw .notALedger(path: path)
      }
      return
    }
    guard case .run(let held)? = LedgerRecord(first.bytes) else { throw .notALedger(path: path) }
    guard held.ledger <= LedgerHead.format else {
      throw .newerLedger(path: path, format: held.ledger)
    }
    guard held.manifest == head.manifest else {
      throw .otherManifest(ledger: path, manifest: held.manifestPath)
    }
    guard (held.shard, held.shards) == (head.shard, head.shards) else {
      throw .otherShard(
        ledger: path, held: "\(held.shard)/\(held.shards)", wanted: "\(head.shard)/\(head.shards)")
    }
  }

  private func fault(_ fault: RecordReader.Fault) -> ShardError {
    switch fault {
    case .system(let code): .file(path: path, action: "read", code: code)
    case .long: .notALedger(path: path)
    }
  }

  /// Reads the lines after `length`.
  private func read() throws(ShardError) {
    let start = state.withLock(\.length)
    var reader = RecordReader(descriptor, separator: 0x0A, limit: LedgerRecord.limit, from: start)
    while true {
      let next: RecordReader.Record?
      do throws(RecordReader.Fault) {
        next = try reader.next()
      } catch {
        throw fault(error)
      }
      guard let next, next.isEnded else { return }
      let (record, place) = (LedgerRecord(next.bytes), reader.place)
      state.withLock { state in
        state.length = place
        switch record {
        case .store(let line)?:
          state.settled[PathKey(of: line.source)] = Settled(result: line.result, mark: line.mark)
        case .run?: break
        case nil: state.unreadable += 1
        }
      }
    }
  }

  private func mend() throws(ShardError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file(path: path, action: "read", code: errno) }
    let length = state.withLock(\.length)
    let torn = Int(status.st_size) - length
    guard torn > 0 else { return }
    state.withLock { $0.tornBytes = torn }
    guard ftruncate(descriptor, off_t(length)) == 0 else {
      throw .file(path: path, action: "mended", code: errno)
    }
  }

  /// A new name must be durable, too.
  private func syncFolder() throws(ShardError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .file(path: folder, action: "made durable", code: errno) }
  }

  /// What the ledger has of a store.
  func settled(_ key: PathKey) -> Settled? { state.withLock { $0.settled[key] } }

  /// Appends lines; they are durable on return.
  ///
  /// It is not for two threads at once.
  /// Lines about stores that another run has settled in the same way meanwhile are left out.
  package func append(_ lines: [LedgerLine]) throws(ShardError) {
    try takeForeign()
    var data = Data()
    for line in lines {
      let key = PathKey(of: line.source)
      let now = Settled(result: line.result, mark: line.mark)
      let isNew = state.withLock { state in
        let before = state.settled.updateValue(now, forKey: key)
        return !line.isDone || before != now
      }
      guard isNew else { continue }
      // Strings and numbers always have a JSON form.
      if let text = try? LedgerRecord.store(line).encoded() { data.append(text) }
    }
    if !data.isEmpty { try append(data) }
  }

  /// Reads the lines that another run has appended.
  private func takeForeign() throws(ShardError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) > state.withLock(\.length) else { return }
    try read()
  }

  private func append(_ data: Data) throws(ShardError) {
    var code = DescriptorIO.write(data, to: descriptor)
    if code == 0, fsync(descriptor) != 0 { code = errno }
    guard code == 0 else {
      // A part of a line mustn't stay.
      _ = ftruncate(descriptor, off_t(state.withLock(\.length)))
      throw .file(path: path, action: "written", code: code)
    }
    state.withLock { $0.length += data.count }
  }
}
