/// The last results, and the speed that they show.
package struct RecentResults: Sendable {
  /// The most results to keep.
  static let most = 50

  /// The latest first.
  package private(set) var latest: [JobResult] = []
  /// The sizes and the times of migrated stores whose whole time is known, the latest first.
  private var measured: [(bytes: Int64, seconds: Double)] = []
  /// What they show together; `nil` without any.
  ///
  /// It is asked for each queued job.
  private var speed: Speed?

  private struct Speed {
    var secondsPerByte: Double
    var largest: Int64
    var shortest: Double

    init?(_ measured: [(bytes: Int64, seconds: Double)]) {
      let (sum, seconds) = measured.reduce((0.0, 0.0)) { ($0.0 + Double($1.bytes), $0.1 + $1.seconds) }
      guard sum > 0, let largest = measured.map(\.bytes).max(), let shortest = measured.map(\.seconds).min()
      else { return nil }
      (secondsPerByte, self.largest, self.shortest) = (seconds / sum, largest, shortest)
    }
  }

  package init() {}

  /// Adds a result.
  ///
  /// - Parameter wholeSeconds: The seconds of all its runs together; `nil` if they aren't known. The result itself has
  ///   only those of the last run.
  package mutating func add(_ result: JobResult, wholeSeconds: Double?) {
    latest.insert(result, at: 0)
    if latest.count > Self.most { latest.removeLast() }
    guard result.result == "migrated", let wholeSeconds, wholeSeconds > 0 else { return }
    measured.insert((result.bytes, wholeSeconds), at: 0)
    if measured.count > Self.most { measured.removeLast() }
    speed = Speed(measured)
  }

  /// Stores may be so many times as large as the largest measured one for an estimate to be sound.
  private static let reach: Int64 = 4

  /// The seconds that a store takes by its size; `nil` if no such store was measured.
  ///
  /// A job takes at least as long as the shortest measured one: a part of its time doesn't depend on its size.
  func seconds(bytes: Int64) -> Double? {
    guard let speed, bytes / Self.reach <= speed.largest else { return nil }
    return max(speed.shortest, Double(bytes) * speed.secondsPerByte)
  }

  /// Estimated seconds until all running and queued jobs are through; `nil` if that isn't known.
  ///
  /// A running job's own estimate counts. Without one, the store's size and the speed of the last results do; a job that
  /// takes longer than that has no known end. The queued jobs then take the workers in their order, as they become free.
  ///
  /// - Parameters:
  ///   - spent: The seconds of a running job's earlier runs.
  ///   - queued: The seconds that are left of the queued jobs, in their order; a long one never gets the last worker.
  package func secondsLeft(
    of running: [ServiceStatus.Running], spent: (_ job: String) -> Double = { _ in 0 },
    queued: [(seconds: Double?, isLong: Bool)], workers: Int
  ) -> Double? {
    guard !running.isEmpty || !queued.isEmpty else { return nil }
    var ends: [Double] = []
    for job in running {
      let guess = seconds(bytes: job.bytes).map { $0 - spent(job.job) - job.seconds }
      guard let left = job.etaSeconds ?? guess, left > 0 else { return nil }
      ends.append(left)
    }
    // The longest ones first, so that the workers of short jobs come last.
    ends.sort(by: >)
    let count = max(1, workers, ends.count)
    ends += [Double](repeating: 0, count: count - ends.count)
    for job in queued {
      guard let seconds = job.seconds else { return nil }
      let open = count > 1 && job.isLong ? count - 1 : count
      guard let first = ends[..<open].indices.min(by: { ends[$0] < ends[$1] }) else { return nil }
      ends[first] += seconds
    }
    return ((ends.max() ?? 0) * 10).rounded() / 10
  }
}
