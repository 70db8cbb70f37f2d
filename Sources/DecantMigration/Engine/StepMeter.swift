internal import Foundation

/// Counts a step's rows and reports to the observer.
///
/// `@unchecked Sendable`: a step runs one piece after another and calls from one thread at a time.
final class StepMeter: @unchecked Sendable {
  private var progress: MigrationProgress
  private let passNames: [String]
  private let observer: @Sendable (MigrationProgress) -> Void
  /// Rows are written on a separate queue, which reports signs of life too.
  private let lock = NSRecursiveLock()
  private var totals: [Int] = []
  private var done: [Int] = []
  /// The pass of each piece, from 0; a piece that waits for the end of a later pass is reported with that pass.
  private var passes: [Int] = []
  /// The finished pieces.
  private var ended: Set<Int> = []
  /// Whether the current statement may be interrupted without the loss of other work.
  private(set) var isInterruptible = false

  init(
    _ progress: MigrationProgress, passNames: [String] = [],
    observer: @escaping @Sendable (MigrationProgress) -> Void
  ) {
    self.progress = progress
    self.passNames = passNames
    self.observer = observer
  }

  /// Sets each piece's number of rows, the number done by an earlier run, and the passes, counted from 0.
  ///
  /// - Parameter first: The piece that runs first.
  func begin(totals: [Int], done: [Int], passes: [Int], first: Int) {
    lock.lock()
    defer { lock.unlock() }
    self.totals = totals
    self.done = done
    self.passes = passes.reduce(into: []) { $0.append(max($0.last ?? 0, $1)) }
    show(pass: first)
    sum()
    observer(progress)
  }

  /// The checks of the filled tables belong to no pass.
  private func show(pass index: Int) {
    guard passes.indices.contains(index), passNames.indices.contains(passes[index]) else { return }
    progress.pass = passes[index] + 1
    progress.passName = passNames[passes[index]]
  }

  private func sum() {
    progress.rowsTotal = totals.reduce(0, +)
    progress.rowsDone = done.reduce(0, +)
    let own = passes.indices.lazy.filter { self.passes[$0] == self.progress.pass - 1 }
    progress.passRowsTotal = own.reduce(0) { $0 + totals[$1] }
    progress.passRowsDone = own.reduce(0) { $0 + done[$1] }
  }

  /// Replaces the estimate of a piece's rows with a count.
  func take(total: Int, index: Int) {
    lock.lock()
    defer { lock.unlock() }
    guard totals.indices.contains(index), totals[index] != total else { return }
    done[index] = ended.contains(index) ? total : min(total, done[index])
    totals[index] = total
    sum()
  }

  /// Begins or resumes a piece; an earlier run has done `chunksDone` chunks with `rowsDone` rows.
  func enter(_ work: Work, index: Int, chunksDone: Int, rowsDone: Int) {
    lock.lock()
    defer { lock.unlock() }
    if totals.indices.contains(index) { done[index] = max(done[index], min(totals[index], rowsDone)) }
    isInterruptible = work.extent == .whole
    show(pass: index)
    sum()
    progress.stage = work.stage
    progress.entityMapping = work.name
    progress.chunk = chunksDone
    progress.chunks = 0
    observer(progress)
  }

  /// Records a chunk; the last chunk takes all remaining rows, because ranges of keys have gaps.
  func advance(index: Int, rowsDone: Int, chunkSize: Int, isLast: Bool) {
    lock.lock()
    defer { lock.unlock() }
    guard totals.indices.contains(index) else { return }
    done[index] = isLast ? totals[index] : min(totals[index], rowsDone)
    progress.chunk += 1
    let left = totals[index] - done[index]
    progress.chunks = progress.chunk + (left + chunkSize - 1) / max(chunkSize, 1)
    sum()
    observer(progress)
  }

  func leave(index: Int) {
    lock.lock()
    defer { lock.unlock() }
    guard totals.indices.contains(index) else { return }
    ended.insert(index)
    done[index] = totals[index]
    sum()
  }

  /// The part of the rows that is done, from 0 to 1.
  var part: Float {
    progress.rowsTotal > 0 ? Float(progress.rowsDone) / Float(progress.rowsTotal) : 0
  }

  /// Reports the progress again: a sign of life during a long statement.
  func beat() { lock.withLock { observer(progress) } }

  /// Reports work that isn't counted, such as an index by its name.
  func tell(_ stage: MigrationProgress.Stage, entityMapping: String) {
    lock.lock()
    defer { lock.unlock() }
    isInterruptible = true
    progress.stage = stage
    progress.entityMapping = entityMapping
    progress.chunk = 0
    progress.chunks = 0
    observer(progress)
  }
}
