/// The jobs in `work/` and the order in which they get workers; it knows no file and no process.
package struct JobQueue: Sendable {
  /// The choice of the next job.
  package enum Choice: Sendable, Hashable {
    case start(JobRecord)
    case none
  }

  package private(set) var records: [String: JobRecord] = [:]
  package private(set) var running: Set<String> = []
  /// Jobs whose end is decided in memory and that wait for their departure.
  private var leaving: Set<String> = []
  /// Jobs for which there is no room on the disk just now, and why.
  package private(set) var shortages: [String: String] = [:]

  package init() {}

  package subscript(id: String) -> JobRecord? { records[id] }

  package mutating func put(_ record: JobRecord) { records[record.id] = record }

  package mutating func remove(_ id: String) {
    records[id] = nil
    running.remove(id)
    leaving.remove(id)
    shortages[id] = nil
  }

  /// The job gets no further worker.
  package mutating func noteLeaving(_ id: String) { leaving.insert(id) }

  package mutating func noteStarted(_ id: String) { running.insert(id) }

  package mutating func noteEnded(_ id: String) { running.remove(id) }

  /// All jobs that could start at a moment, in the order of priority and arrival.
  package func ready(at now: Double) -> [JobRecord] {
    records.values.filter { record in
      guard !running.contains(record.id), !leaving.contains(record.id) else { return false }
      switch record.state {
      case .queued: return true
      case .waiting: return record.hold?.cause == .retry && (record.hold?.until ?? 0) <= now
      case .claiming, .delivering, .refusing: return false
      }
    }
    .sorted { ($1.priority, $0.arrival) < ($0.priority, $1.arrival) }
  }

  /// The job to start now.
  ///
  /// With several workers, big stores never hold them all: one is kept for the small ones.
  ///
  /// - Parameters:
  ///   - isServed: Whether a worker that may take a job is free; others are passed over.
  ///   - shortage: Why there is no room for a job; `nil` where there is.
  package mutating func next(
    at now: Double, workers: Int, bigStoreBytes: Int, isServed: (JobRecord) -> Bool = { _ in true },
    shortage: (JobRecord) -> String?
  ) -> Choice {
    guard running.count < workers else { return .none }
    let bigRunning = running.count { (records[$0]?.bytes ?? 0) >= Int64(bigStoreBytes) }
    shortages = [:]
    for record in ready(at: now) {
      if workers > 1, record.bytes >= Int64(bigStoreBytes), bigRunning >= workers - 1 { continue }
      if let reason = shortage(record) {
        shortages[record.id] = reason
        continue
      }
      guard isServed(record) else { continue }
      return .start(record)
    }
    return .none
  }

  /// Jobs that wait for something to get better.
  package var waiting: [JobRecord] {
    records.values
      .filter { ($0.state == .waiting || shortages[$0.id] != nil) && !leaving.contains($0.id) }.sorted {
        $0.arrival < $1.arrival
      }
  }

  /// Jobs that wait for a worker alone.
  package var queued: [JobRecord] {
    records.values
      .filter {
        $0.state == .queued && !running.contains($0.id) && !leaving.contains($0.id) && shortages[$0.id] == nil
      }
      .sorted { ($1.priority, $0.arrival) < ($0.priority, $1.arrival) }
  }

  /// The moment of the next retry.
  package func nextRetry(after now: Double) -> Double? {
    records.values.compactMap { $0.state == .waiting ? $0.hold?.until : nil }.filter { $0 > now }.min()
  }
}
