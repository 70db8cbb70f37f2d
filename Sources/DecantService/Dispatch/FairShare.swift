/// The rule of fairness between long jobs and short jobs of one priority.
///
/// A job is long if its store is big, or if the job is expected to take at least `longSeconds`. With several workers,
/// one worker takes no job that is known to be long. With one worker, the urgency of a job grows with its wait,
/// compared with its expected time. So short jobs start soon, and long jobs don't wait for ever behind them.
///
/// The type uses no clock and no process.
package struct FairShare: Sendable {
  package var workers: Int
  package var longSeconds: Double
  package var bigStoreBytes: Int64

  package init(workers: Int, longSeconds: Double, bigStoreBytes: Int64) {
    self.workers = workers
    self.longSeconds = longSeconds
    self.bigStoreBytes = bigStoreBytes
  }

  /// A job without a worker.
  package struct Candidate: Sendable {
    package var bytes: Int64
    /// The seconds that the job is expected to take; `nil` if that isn't known.
    package var expected: Double?
    /// The seconds since the drop was taken.
    package var waited: Double

    package init(bytes: Int64, expected: Double?, waited: Double) {
      (self.bytes, self.expected, self.waited) = (bytes, expected, waited)
    }
  }

  package struct Running: Sendable {
    package var job: String
    package var bytes: Int64
    /// The seconds that all runs of the job have taken so far.
    package var elapsed: Double
    /// The seconds until the job's end; `nil` if that isn't known.
    package var left: Double?
    /// Whether the job was asked to stop already.
    package var isStopping: Bool

    package init(job: String, bytes: Int64, elapsed: Double, left: Double?, isStopping: Bool = false) {
      (self.job, self.bytes, self.elapsed, self.left) = (job, bytes, elapsed, left)
      self.isStopping = isStopping
    }
  }

  /// The speed in bytes a second that is assumed for a kind of store that was never measured.
  static let assumedBytesPerSecond = 8_388_608.0

  package func isLong(_ candidate: Candidate) -> Bool {
    candidate.bytes >= bigStoreBytes || (candidate.expected ?? 0) >= longSeconds
  }

  package func isLong(_ running: Running) -> Bool {
    running.bytes >= bigStoreBytes || running.elapsed + (running.left ?? 0) >= longSeconds
  }

  package func mayStart(_ candidate: Candidate, beside running: [Running]) -> Bool {
    guard running.count < workers else { return false }
    return workers == 1 || !isLong(candidate) || running.count(where: isLong) < workers - 1
  }

  /// The greatest urgency; among jobs that have it, the order of arrival counts.
  static let mostUrgent = 10.0
  /// The shortest expected time that counts, in seconds.
  private static let leastExpected = 1.0

  /// How urgent a job is for the only worker: 1 for a new job, and 1 more for each expected time that it has waited, up
  /// to `mostUrgent`.
  package func urgency(of candidate: Candidate) -> Double {
    let expected = candidate.expected ?? Double(candidate.bytes) / Self.assumedBytesPerSecond
    return min(Self.mostUrgent, 1 + max(0, candidate.waited) / max(Self.leastExpected, expected))
  }

  /// The largest possible urgency of a job that has waited for at most this time.
  package func mostUrgent(waited: Double) -> Double {
    min(Self.mostUrgent, 1 + max(0, waited) / Self.leastExpected)
  }

  /// The long job that has to stop after its chunk, so that a waiting short job gets a worker.
  ///
  /// Of all long jobs, the job that has run for the shortest time has to stop.
  package func yielding(_ running: [Running]) -> String? {
    guard workers > 1, running.count >= workers, running.allSatisfy(isLong),
      !running.contains(where: \.isStopping)
    else { return nil }
    return running.min { ($0.elapsed, $0.job) < ($1.elapsed, $1.job) }?.job
  }
}
