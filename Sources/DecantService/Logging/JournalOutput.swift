internal import CSystemd
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Sends records to the systemd journal.
///
/// A call of the journal may block. So a separate queue makes these calls, and the daemon never waits for them.
package final class JournalOutput: Sendable {
  /// The most records that wait; further ones are dropped and counted.
  static let most = 1000

  private struct State {
    var waiting = 0
    var dropped = 0
  }

  private let state = Mutex(State())
  private let queue = DiskQueues(1)
  private let send: @Sendable ([String]) -> Void

  /// - Parameter send: Takes a record's fields; the default gives them to the journal.
  package init(send: @escaping @Sendable ([String]) -> Void = JournalOutput.journal) { self.send = send }

  package func write(_ record: JournalRecord) {
    let before: Int? = state.withLock { state in
      guard state.waiting < Self.most else {
        state.dropped += 1
        return nil
      }
      state.waiting += 1
      defer { state.dropped = 0 }
      return state.dropped
    }
    guard let dropped = before else { return }
    queue.async { [self] in
      tell(dropped)
      send(record.fields)
      state.withLock { $0.waiting -= 1 }
    }
  }

  private func tell(_ dropped: Int) {
    guard dropped > 0 else { return }
    let words = dropped == 1 ? "1 message was dropped" : "\(dropped) messages were dropped"
    send(JournalRecord(.warning, "\(words), because the journal was too slow.", event: "dropped").fields)
  }

  /// Waits until everything is sent, or for a second.
  package func finish() {
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      tell(
        state.withLock { state in
          defer { state.dropped = 0 }
          return state.dropped
        })
      done.signal()
    }
    _ = done.wait(timeout: .now() + 1)
  }

  /// Gives a record to the journal; if there is none, nothing happens.
  package static let journal: @Sendable ([String]) -> Void = { fields in
    let parts = fields.map { field in
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: field.utf8.count)
      _ = bytes.initialize(from: field.utf8)
      return bytes
    }
    defer { for part in parts { part.deallocate() } }
    let vectors = parts.map { iovec(iov_base: $0.baseAddress, iov_len: $0.count) }
    _ = sd_journal_sendv(vectors, Int32(vectors.count))
  }
}
