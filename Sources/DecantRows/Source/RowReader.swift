package import DecantExpressions
package import DecantSQLite
internal import Dispatch
internal import Synchronization

/// Reads the source rows of an entity mapping in batches.
///
/// The next batch is read while the policy works, within the requested bounds.
///
/// `@unchecked Sendable`: the reader's queue uses the batches while it is busy, and the policy's queue uses them at all
/// other times.
package final class RowReader: @unchecked Sendable {
  /// The batches' statement runs on a connection that only readers use.
  package let batches: RowBatches
  private let queue = DispatchQueue(label: "decant.reading")
  private let group = DispatchGroup()
  private let read = Mutex<Result<RowBatch, SQLiteError>?>(nil)
  /// The bounds of the batch that is read ahead or was read ahead; `nil` if there is no such batch.
  private var asked: (lower: Int64, upper: Int64)?

  init(_ batches: RowBatches) {
    self.batches = batches
  }

  /// The next rows within bounds.
  ///
  /// - Parameters:
  ///   - lower: The lower bound of the keys, exclusive.
  ///   - upper: The upper bound of the keys, inclusive.
  package func next(after lower: Int64, upTo upper: Int64) throws(SQLiteError) -> RowBatch {
    let batch =
      if let taken = try taken(lower, upper) { taken } else { try batches.next(after: lower, upTo: upper) }
    if !batch.isLast, batch.count > 0 { ask(after: batch.key(batch.count - 1), upTo: upper) }
    return batch
  }

  /// The batch that was read ahead, if it is the requested batch.
  private func taken(_ lower: Int64, _ upper: Int64) throws(SQLiteError) -> RowBatch? {
    guard let asked = asked.take() else { return nil }
    group.wait()
    let result = read.withLock { $0.take() }
    guard asked == (lower, upper) else { return nil }
    return try result?.get()
  }

  /// Stops reading ahead, and waits until the queue has stopped.
  func end(_ connection: SQLiteDatabase) {
    guard asked != nil else { return }
    connection.interrupt()
    group.wait()
  }

  private func ask(after lower: Int64, upTo upper: Int64) {
    asked = (lower, upper)
    queue.async(group: group) { [self] in
      let result: Result<RowBatch, SQLiteError>
      do throws(SQLiteError) {
        result = .success(try batches.next(after: lower, upTo: upper))
      } catch {
        result = .failure(error)
      }
      read.withLock { $0 = result }
    }
  }
}
