/// A histogram of the durations of jobs.
package struct Durations: Sendable, Hashable, Codable {
  /// The upper limits of the groups in seconds; a last group has no limit.
  package static let limits: [Double] = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400]

  package private(set) var upTo = Durations.limits
  /// The number of jobs in each group; there is one group more than there are limits.
  package private(set) var jobs = [Int](repeating: 0, count: Durations.limits.count + 1)
  /// The seconds of all jobs together.
  package private(set) var seconds = 0.0

  package init() {}

  package mutating func add(_ value: Double) {
    // If the clock was set back, the time may be negative.
    let value = max(0, value)
    jobs[upTo.firstIndex { value <= $0 } ?? upTo.count] += 1
    seconds += value
  }

  /// The number of jobs up to each limit, as Prometheus counts them; the last number counts all jobs.
  var cumulative: [Int] {
    var sum = 0
    return jobs.map {
      sum += $0
      return sum
    }
  }
}
