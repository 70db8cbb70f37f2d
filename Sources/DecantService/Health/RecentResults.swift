/// The last results, and the speed that is computed from them.
package struct RecentResults: Sendable {
  /// The largest number of results that are kept.
  static let most = 50

  /// The latest first.
  package private(set) var latest: [JobResult] = []
  /// The sizes and the times of migrated stores whose whole time is known, the latest first.
  private var measured: [(bytes: Int64, seconds: Double)] = []
  /// The speed of all stores in `measured` together.
  ///
  /// The speed is stored, because it is needed for each queued job.
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
  /// - Parameter wholeSeconds: The seconds of all runs of the job together; `nil` if they aren't known. The result
  ///   itself has only the seconds of the last run.
  package mutating func add(_ result: JobResult, wholeSeconds: Double?) {
    latest.insert(result, at: 0)
    if latest.count > Self.most { latest.removeLast() }
    guard result.result == "migrated", let wholeSeconds, wholeSeconds > 0 else { return }
    measured.insert((result.bytes, wholeSeconds), at: 0)
    if measured.count > Self.most { measured.removeLast() }
    speed = Speed(measured)
  }

  /// A store that is more than this many times as large as the largest measured store gets no estimate.
  private static let reach: Int64 = 4

  /// The estimated seconds for a store of this size; `nil` if no store was measured, or if all measured stores are much
  /// smaller.
  ///
  /// The estimate is at least the time of the shortest measured job, because a part of the time doesn't depend on the
  /// size.
  func seconds(bytes: Int64) -> Double? {
    guard let speed, bytes / Self.reach <= speed.largest else { return nil }
    return max(speed.shortest, Double(bytes) * speed.secondsPerByte)
  }

  /// Estimated seconds until all running and queued jobs have ended; `nil` if that isn't known, or without jobs.
  ///
  /// A running job without its own estimate gets one from its size. A job that takes longer than its estimate has no
  /// known end.
  ///
  /// - Parameter queued: The remaining seconds of each queued job, in their order, and whether the job is long.
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
    // Sort the longest times first. The last worker in the array becomes free first, and gets no queued long jobs.
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
