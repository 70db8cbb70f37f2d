internal import DecantExpressions
internal import DecantSQLite
internal import Dispatch
internal import Synchronization

/// Reads the source rows of an entity mapping batch by batch, the next one while the policy is at work.
///
/// Only within the bounds that it has been asked for. `@unchecked Sendable`: the batches are read by the queue while it
/// is busy, and by the policy's queue when it isn't.
final class RowReader: @unchecked Sendable {
  /// Their statement is of a connection that nobody else uses.
  let batches: RowBatches
  private let queue = DispatchQueue(label: "decant.reading")
  private let group = DispatchGroup()
  private let read = Mutex<Result<RowBatch, SQLiteError>?>(nil)
  /// Of the batch that is being read; `nil` for none.
  private var asked: (lower: Int64, upper: Int64)?

  init(_ batches: RowBatches) {
    self.batches = batches
  }

  /// The next rows within bounds.
  ///
  /// - Parameters:
  ///   - lower: Exclusive.
  ///   - upper: Inclusive.
  func next(after lower: Int64, upTo upper: Int64) throws(SQLiteError) -> RowBatch {
    let batch =
      if let taken = try taken(lower, upper) { taken } else { try batches.next(after: lower, upTo: upper) }
    if !batch.isLast, batch.count > 0 { ask(after: batch.key(batch.count - 1), upTo: upper) }
    return batch
  }

  /// What has been read ahead, where it is what is wanted.
  private func taken(_ lower: Int64, _ upper: Int64) throws(SQLiteError) -> RowBatch? {
    guard let asked = asked.take() else { return nil }
    group.wait()
    let result = read.withLock { $0.take() }
    guard asked == (lower, upper) else { return nil }
    return try result?.get()
  }

  /// Ends what is being read ahead, and waits until nobody reads.
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
