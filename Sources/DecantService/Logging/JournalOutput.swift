internal import CSystemd
internal import DecantSpool
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Sends records to the systemd journal.
///
/// A call of the journal may block. So a separate queue makes these calls, and the daemon never waits for them.
package final class JournalOutput: Sendable {
  /// The largest number of records that wait; further records are dropped and counted.
  static let maximumWaiting = 1000

  private struct State {
    var waiting = 0
    var dropped = 0
  }

  private let state = Mutex(State())
  private let queue = DiskQueues(1)
  private let send: @Sendable ([String]) -> Bool

  /// - Parameter send: Takes a record's fields; false if they are lost. The default gives them to the journal.
  package init(send: @escaping @Sendable ([String]) -> Bool = JournalOutput.journal) { self.send = send }

  package func write(_ record: JournalRecord) {
    let before: Int? = state.withLock { state in
      guard state.waiting < Self.maximumWaiting else {
        state.dropped += 1
        return nil
      }
      state.waiting += 1
      defer { state.dropped = 0 }
      return state.dropped
    }
    guard let dropped = before else { return }
    queue.async { [self] in
      reportDropped(dropped)
      let isSent = send(record.fields)
      state.withLock { state in
        state.waiting -= 1
        if !isSent { state.dropped += 1 }
      }
    }
  }

  private func reportDropped(_ dropped: Int) {
    guard dropped > 0 else { return }
    let words = dropped == 1 ? "1 message was dropped" : "\(dropped) messages were dropped"
    let record = JournalRecord(
      .warning, "\(words), because the journal was too slow or didn't accept them.", event: "dropped")
    // If this report is lost, the next message reports the count again.
    if !send(record.fields) { state.withLock { $0.dropped += dropped } }
  }

  /// Waits until everything is sent, but at most a second.
  package func finish() {
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      reportDropped(
        state.withLock { state in
          defer { state.dropped = 0 }
          return state.dropped
        })
      done.signal()
    }
    // Records that still wait after a second are lost, because the program ends.
    _ = done.wait(timeout: .now() + 1)
  }

  /// Gives the fields of a record to the journal; false if the journal doesn't accept them.
  package static let journal: @Sendable ([String]) -> Bool = { fields in
    let parts = fields.map { field in
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: field.utf8.count)
      _ = bytes.initialize(from: field.utf8)
      return bytes
    }
    defer { for part in parts { part.deallocate() } }
    let vectors = parts.map { iovec(iov_base: $0.baseAddress, iov_len: $0.count) }
    return sd_journal_sendv(vectors, Int32(vectors.count)) >= 0
  }
}
