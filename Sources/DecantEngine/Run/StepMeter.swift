internal import DecantPasses
package import DecantReport
internal import Synchronization

/// Counts a step's rows and reports to the observer.
///
/// Any thread may call the meter: the step's thread counts rows, and the writing queue repeats reports during long
/// statements. The observer is called while a lock is held, so it gets all reports in order. It must not call the
/// meter.
package final class StepMeter: Sendable {
  private let rows: Mutex<StepRows>
  private let observer: @Sendable (MigrationProgress) -> Void

  package init(
    _ progress: MigrationProgress, passNames: [String] = [],
    observer: @escaping @Sendable (MigrationProgress) -> Void
  ) {
    rows = Mutex(StepRows(progress: progress, passNames: passNames))
    self.observer = observer
  }

  /// Whether the current statement may be interrupted without the loss of other work.
  var isInterruptible: Bool { rows.withLock { $0.isInterruptible } }

  /// The part of the rows that is done, from 0 to 1.
  var part: Float { rows.withLock { $0.part } }

  /// The wall time of each pass in seconds, up to now; 0 for a pass that an earlier run has finished.
  package var passSeconds: [Double] {
    rows.withLock {
      $0.tick()
      return $0.passSeconds
    }
  }

  /// The step's timeline, up to now.
  package var timeline: MigrationReport.Timeline {
    rows.withLock {
      $0.tick()
      return $0.timeline
    }
  }

  /// Sets each piece of work's number of rows, the number taken by an earlier run, and the pass, counted from 0.
  ///
  /// - Parameters:
  ///   - tables: The `Work.objectTable` of each piece.
  ///   - kinds: The kind of each piece.
  ///   - first: The piece that runs first.
  func begin(
    totals: [Int], taken: [Int], passes: [Int], tables: [String?] = [], kinds: [String] = [], first: Int
  ) {
    report {
      $0.begin(totals: totals, taken: taken, passes: passes, tables: tables, kinds: kinds, first: first)
    }
  }

  /// Replaces the estimated number of rows of a piece of work with a count.
  func take(total: Int, index: Int) { rows.withLock { $0.take(total: total, index: index) } }

  /// Records how many associations the step has; the next report contains the number.
  func take(associations: Int) { rows.withLock { $0.take(associations: associations) } }

  /// Begins or resumes a piece of work; an earlier run has done `chunksDone` chunks with `rowsDone` rows.
  func enter(_ work: Work, index: Int, chunksDone: Int, rowsDone: Int) {
    report { $0.enter(work, index: index, chunksDone: chunksDone, rowsDone: rowsDone) }
  }

  /// After the last chunk all rows of the piece count as taken, because a chunk's exact number of rows isn't known.
  func advance(index: Int, rowsDone: Int, chunkSize: Int, isLast: Bool) {
    rows.withLock {
      let isCounted = $0.advance(index: index, rowsDone: rowsDone, chunkSize: chunkSize, isLast: isLast)
      $0.tick()
      if isCounted { observer($0.progress) }
    }
  }

  func leave(index: Int) { rows.withLock { $0.leave(index: index) } }

  /// Reports the same progress again, to show that a long statement still runs.
  package func beat() { report { _ in } }

  func tell(_ stage: MigrationProgress.Stage, check: MigrationProgress.WholeCheck) {
    tell(stage, entityMapping: check.rawValue)
  }

  /// Reports work that isn't counted, such as an index by its name.
  func tell(_ stage: MigrationProgress.Stage, entityMapping: String) {
    report { $0.tell(stage, entityMapping: entityMapping) }
  }

  private func report(_ change: (inout StepRows) -> Void) {
    rows.withLock {
      // The time before the change belongs to the state before it.
      $0.tick()
      change(&$0)
      $0.tick()
      observer($0.progress)
    }
  }
}
