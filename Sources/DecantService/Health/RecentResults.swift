/// The last results, and the speed that they show.
package struct RecentResults: Sendable {
  /// The most results to keep.
  static let most = 50

  /// The latest first.
  package private(set) var latest: [JobResult] = []

  package init() {}

  package mutating func add(_ result: JobResult) {
    latest.insert(result, at: 0)
    if latest.count > Self.most { latest.removeLast() }
  }

  /// The bytes of stores for each second of a worker; `nil` before a store was migrated.
  var bytesPerSecond: Double? {
    let migrated = latest.filter { $0.result == "migrated" && ($0.seconds ?? 0) > 0 }
    let (bytes, seconds) = migrated.reduce((0.0, 0.0)) { ($0.0 + Double($1.bytes), $0.1 + ($1.seconds ?? 0)) }
    return bytes > 0 ? bytes / seconds : nil
  }

  /// Estimated seconds until all running and queued jobs are through; `nil` before it is known.
  ///
  /// A running job's own estimate counts. Without one, and for a queued job, the store's size and the speed of the
  /// last results do.
  package func secondsLeft(of running: [ServiceStatus.Running], queuedBytes: Int64, workers: Int) -> Double? {
    let rate = bytesPerSecond
    var sum = 0.0
    var longest = 0.0
    for job in running {
      let guess = rate.map { max(0, Double(job.bytes) / $0 - job.seconds) }
      guard let left = job.etaSeconds ?? guess else { return nil }
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
