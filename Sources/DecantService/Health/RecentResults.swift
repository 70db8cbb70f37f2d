/// The last results, and the speed that they show.
package struct RecentResults: Sendable {
  /// The most results to keep.
  static let most = 50

  /// The latest first.
  package private(set) var latest: [JobResult] = []
  /// The sizes and the times of migrated stores whose whole time is known, the latest first.
  private var measured: [(bytes: Int64, seconds: Double)] = []

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
  }

  /// The bytes of stores for each second of a worker; `nil` before a store was migrated.
  var bytesPerSecond: Double? {
    let (bytes, seconds) = measured.reduce((0.0, 0.0)) { ($0.0 + Double($1.bytes), $0.1 + $1.seconds) }
    return bytes > 0 ? bytes / seconds : nil
  }

  /// Estimated seconds until all running and queued jobs are through; `nil` if that isn't known.
  ///
  /// A running job's own estimate counts. Without one, and for a queued job, the store's size and the speed of the
  /// last results do; a job that takes longer than that has no known end.
  package func secondsLeft(of running: [ServiceStatus.Running], queuedBytes: Int64, workers: Int) -> Double? {
    let rate = bytesPerSecond
    var sum = 0.0
    var longest = 0.0
    for job in running {
      let guess = rate.map { Double(job.bytes) / $0 - job.seconds }
      guard let left = job.etaSeconds ?? guess, left > 0 else { return nil }
      sum += left
      longest = max(longest, left)
    }
    if queuedBytes > 0 {
      guard let rate else { return nil }
      sum += Double(queuedBytes) / rate
    }
    guard !running.isEmpty || queuedBytes > 0 else { return nil }
    return (max(longest, sum / Double(max(1, workers))) * 10).rounded() / 10
  }
}
