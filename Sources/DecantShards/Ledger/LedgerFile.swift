internal import DecantWorker
internal import Foundation
internal import Synchronization

/// The ledger of one shard, open for appending.
///
/// Lines are durable when `append` returns. No lock protects the file, because locks don't work on all shared file
/// systems. If another run of the shard appends lines, these lines are read like lines of an earlier run.
package final class LedgerFile: Sendable {
  /// What the ledger says about a store.
  struct Settled: Hashable, Sendable {
    var result: LedgerLine.Result
    /// `LedgerLine.mark`.
    var mark: PathKey?
    /// Why the store is refused, or may be migrated later; otherwise empty.
    var reason = ""
    var rows = 0
    var losses = 0
    /// Whether an earlier result was left in the output.
    var isStale = false
    var isDone: Bool { result == .done || result == .current }
  }

  private struct State {
    /// The end of the lines that were read, in bytes.
    ///
    /// Before lines are appended, all lines since the last reading are read, this run's own lines included.
    var length = 0
    var settled: [PathKey: Settled] = [:]
    /// The reasons, so that equal texts are stored once.
    private var reasons: Set<String> = []
    var unreadable = 0
    var tornBytes = 0

    /// Records a line; a line without a result doesn't replace a result of the same source and settings.
    ///
    /// - Returns: False for a result that the ledger has already.
    @discardableResult
    mutating func note(_ line: LedgerLine) -> Bool {
      let reason = reasons.insert(line.reason ?? "").memberAfterInsert
      let key = PathKey(of: line.source)
      let now = Settled(
        result: line.result, mark: line.mark, reason: reason, rows: line.rows ?? 0, losses: line.losses ?? 0,
        isStale: line.staleResult != nil)
      let before = settled[key]
      if !line.isDone, let before, before.isDone, before.mark != nil, before.mark == now.mark { return true }
      settled[key] = now
      return !line.isDone || before != now
    }
  }

  package let path: String
  /// When the run began, as the run's head says.
  private let started: String
  private let descriptor: Int32
  /// Writes bytes and returns 0 or the errno, and the number of written bytes; tests give another function.
  typealias Writer = @Sendable (Data, Int32, inout Int) -> Int32
  private let write: Writer
  /// The lock is held only briefly, and not during disk access.
  private let state = Mutex(State())

  /// Complete lines that aren't lines of a ledger.
  package var unreadable: Int { state.withLock(\.unreadable) }
  /// The bytes of a torn last line that were removed.
  package var tornBytes: Int { state.withLock(\.tornBytes) }

  /// Opens the ledger of a shard, or makes it.
  ///
  /// A torn last line is removed. The line wasn't durable, so its store wasn't settled.
  package convenience init(_ path: String, head: LedgerHead) throws(ShardError) {
    try self.init(path, head: head) { DescriptorIO.write($0, to: $1, count: &$2) }
  }

  init(_ path: String, head: LedgerHead, write: @escaping Writer) throws(ShardError) {
    self.path = path
    started = head.started
    self.write = write
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else { throw .file(path: path, action: "written", code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .notAFile(path: path)
    }
    try checkStart(head)
    try mend(torn: try read())
    guard let line = try? LedgerRecord.run(head).encoded() else { throw .notALedger(path: path) }
    try append(line)
    try syncFolder()
  }

  deinit { close(descriptor) }

  private func checkStart(_ head: LedgerHead) throws(ShardError) {
    var reader = RecordReader(descriptor, separator: 0x0A, limit: LedgerRecord.limit)
    var first: RecordReader.Record?
    do throws(RecordReader.Fault) {
      repeat { first = try reader.next() } while first?.bytes.isEmpty == true
    } catch {
      if case .long = error, ZeroTail.length(descriptor, from: 0, afterAtMost: 0) != nil { return }
      throw fault(error)
    }
    guard let first else { return }
    guard first.isEnded else {
      // The only line is torn. This line may be removed only if it begins like a run's line, or has zeros alone. After
      // a loss of power a line may have its length, but no content.
      guard
        first.bytes.starts(with: LedgerRecord.runStart.prefix(first.bytes.count))
          || first.bytes.allSatisfy({ $0 == 0 })
      else {
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
    guard held.output == head.output else { throw .otherOutput(ledger: path, held: held.output) }
  }

  private func fault(_ fault: RecordReader.Fault) -> ShardError {
    switch fault {
    case .system(let code): .file(path: path, action: "read", code: code)
    case .long: .notALedger(path: path)
    }
  }

  /// Reads the lines after `length`.
  ///
  /// - Returns: The number of bytes of the last line if it has no newline; otherwise 0.
  @discardableResult
  private func read() throws(ShardError) -> Int {
    let start = state.withLock(\.length)
    var reader = RecordReader(descriptor, separator: 0x0A, limit: LedgerRecord.limit, from: start)
    while true {
      let next: RecordReader.Record?
      do throws(RecordReader.Fault) {
        next = try reader.next()
      } catch {
        let start = state.withLock(\.length)
        if case .long = error, let torn = ZeroTail.length(descriptor, from: start) { return torn }
        guard try reader.skipLong(error, of: path) else { return reader.place - start }
        state.withLock { [place = reader.place] in
          $0.length = place
          $0.unreadable += 1
        }
        continue
      }
      guard let next, next.isEnded else { return next?.bytes.count ?? 0 }
      let (record, place) = (LedgerRecord(next.bytes), reader.place)
      state.withLock { state in
        state.length = place
        switch record {
        case .store(let line)?: state.note(line)
        case .run?, .end?: break
        case nil: state.unreadable += next.bytes.isEmpty ? 0 : 1
        }
      }
    }
  }

  private func mend(torn: Int) throws(ShardError) {
    guard torn > 0 else { return }
    // Another run may be writing the line now, so it gets time to end the line.
    usleep(100_000)
    let torn = try read()
    guard torn > 0 else { return }
    let length = state.withLock(\.length)
    // The other run may have ended the line by now. Then the rest of the file is read again.
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) == length + torn else {
      return try mend(torn: torn)
    }
    guard ftruncate(descriptor, off_t(length)) == 0 else {
      throw .file(path: path, action: "mended", code: errno)
    }
    state.withLock { $0.tornBytes = torn }
  }

  /// Makes the ledger's name durable.
  private func syncFolder() throws(ShardError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .file(path: folder, action: "made durable", code: errno) }
  }

  func settled(_ key: PathKey) -> Settled? { state.withLock { $0.settled[key] } }

  /// Appends lines; they are durable on return.
  ///
  /// Two threads must not call this at once. Results that another run has added meanwhile are left out.
  package func append(_ lines: [LedgerLine]) throws(ShardError) {
    try takeForeign()
    var data = Data()
    for line in lines where state.withLock({ $0.note(line) }) {
      // Strings and numbers always have a JSON form.
      if let text = try? LedgerRecord.store(line).encoded() { data.append(text) }
    }
    if !data.isEmpty { try append(data) }
  }

  /// Writes that the run has settled all stores of its shard.
  package func end() throws(ShardError) {
    if let data = try? LedgerRecord.end(started: started).encoded() { try append(data) }
  }

  /// Reads the lines that another run has appended.
  private func takeForeign() throws(ShardError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) > state.withLock(\.length) else { return }
    try read()
  }

  private func append(_ data: Data) throws(ShardError) {
    var count = 0
    let code = write(data, descriptor, &count)
    guard code == 0 else {
      blank(data.prefix(count))
      throw .file(path: path, action: "written", code: code)
    }
    // Another run may have read these complete lines already, so they stay.
    guard fsync(descriptor) == 0 else { throw .file(path: path, action: "written", code: errno) }
  }

  /// Replaces the written part of a failed append by newlines, which readers skip.
  ///
  /// The file isn't shortened, because another run may append at any time.
  private func blank(_ part: Data) {
    // The file's offset is where this run has written last.
    let start = lseek(descriptor, 0, SEEK_CUR) - off_t(part.count)
    // Through a descriptor for appending, Linux writes at the end of the file only.
    let other = open("/proc/self/fd/\(descriptor)", O_RDWR | O_CLOEXEC)
    guard other >= 0 else { return }
    defer { close(other) }
    var bytes = [UInt8](repeating: 0, count: part.count)
    guard pread(other, &bytes, bytes.count, start) == bytes.count, part.elementsEqual(bytes) else { return }
    bytes = [UInt8](repeating: 0x0A, count: bytes.count)
    _ = pwrite(other, bytes, bytes.count, start)
  }
}
