/// The jobs in `work/` and the order in which they get workers.
///
/// The type uses no file and no process.
package struct JobQueue: Sendable {
  package enum Choice: Sendable, Hashable {
    case start(JobRecord)
    case none
  }

  package private(set) var records: [String: JobRecord] = [:]
  /// All jobs in the states `queued` and `waiting`, including running jobs, in the order of priority and arrival.
  ///
  /// The array is kept sorted, because every turn of the loop reads it, and it may be very long.
  private var line: [Place] = []
  package private(set) var running: Set<String> = []
  /// The jobs in the state `waiting`.
  private var holding: Set<String> = []
  /// The number of jobs that wait for a change of the catalogue.
  package private(set) var held = 0
  /// Jobs whose end is decided in memory, and that wait for their move to `done/` or `failed/`.
  private var leaving: Set<String> = []
  /// The jobs that lacked disk space when they were looked at last, and why.
  package private(set) var shortages: [String: String] = [:]

  package init() {}

  package subscript(id: String) -> JobRecord? { records[id] }

  package mutating func put(_ record: JobRecord) {
    if record.isHeld { held += 1 }
    if record.state == .waiting { holding.insert(record.id) } else { holding.remove(record.id) }
    if let former = records.updateValue(record, forKey: record.id) {
      if former.isHeld { held -= 1 }
      // Most changes don't move a job.
      if Place(former) == Place(record) { return }
      leaveLine(former)
    }
    if let place = Place(record) { line.insert(place, at: index(of: place)) }
  }

  private mutating func leaveLine(_ record: JobRecord) {
    guard let place = Place(record) else { return }
    let index = index(of: place)
    if index < line.count, line[index] == place { line.remove(at: index) }
  }

  /// The index of a place in the line, or the index at which to insert it.
  private func index(of place: Place) -> Int {
    var (low, high) = (0, line.count)
    while low < high {
      let middle = (low + high) / 2
      if line[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  package mutating func remove(_ id: String) {
    if let record = records.removeValue(forKey: id) {
      if record.isHeld { held -= 1 }
      leaveLine(record)
    }
    holding.remove(id)
    running.remove(id)
    leaving.remove(id)
    shortages[id] = nil
  }

  /// Marks a job as leaving: it gets no further worker.
  package mutating func noteLeaving(_ id: String) { leaving.insert(id) }

  /// Removes the mark of `noteLeaving`: the job may get a worker again.
  package mutating func noteStaying(_ id: String) { leaving.remove(id) }

  package mutating func noteStarted(_ id: String) { running.insert(id) }

  package mutating func noteEnded(_ id: String) { running.remove(id) }

  /// The jobs that could start at a moment, in the order of priority and arrival.
  package func ready(
    at now: Double, most: Int = .max, where isWanted: (JobRecord) -> Bool = { _ in true }
  ) -> [JobRecord] {
    var found: [JobRecord] = []
    for place in line {
      if found.count >= most { break }
      if let record = ready(place, at: now), isWanted(record) { found.append(record) }
    }
    return found
  }

  private func ready(_ place: Place, at now: Double) -> JobRecord? {
    guard !running.contains(place.id), !leaving.contains(place.id), let record = records[place.id] else {
      return nil
    }
    guard record.state == .waiting else { return record }
    return record.hold?.isDue(at: now) == true ? record : nil
  }

  /// The job to start now: by priority, then by urgency, then by arrival.
  ///
  /// Jobs that are skipped because the disk has no space for them are recorded in `shortages`.
  ///
  /// - Parameters:
  ///   - urgency: Orders the jobs of one priority; `nil` for the order of arrival alone.
  ///   - bound: The largest urgency that a job, or a later job with the same priority, can have.
  package mutating func next(
    at now: Double, mayStart: (JobRecord) -> Bool, urgency: ((JobRecord) -> Double)? = nil,
    bound: (JobRecord) -> Double = { _ in .infinity }, isServed: (JobRecord) -> Bool = { _ in true },
    shortage: (JobRecord) -> String?
  ) -> Choice {
    var best: (record: JobRecord, urgency: Double)?
    shortages = [:]
    for place in line {
      guard let record = ready(place, at: now) else { continue }
      if let best, best.record.priority > record.priority || best.urgency >= bound(record) { break }
      guard mayStart(record) else { continue }
      if let reason = shortage(record) {
        shortages[record.id] = reason
        continue
      }
      guard isServed(record) else { continue }
      guard let urgency else { return .start(record) }
      let own = urgency(record)
      if best.map({ own > $0.urgency }) ?? true { best = (record, own) }
    }
    return best.map { .start($0.record) } ?? .none
  }

  /// Checks again the jobs for which the disk had no space.
  package mutating func reviewShortages(_ shortage: (JobRecord) -> String?) {
    for id in shortages.keys { shortages[id] = records[id].flatMap(shortage) }
  }

  /// Jobs that wait for space, for a retry or for a change of the catalogue.
  package var waiting: [JobRecord] {
    records.values
      .filter { ($0.state == .waiting || shortages[$0.id] != nil) && !leaving.contains($0.id) }.sorted {
        $0.arrival < $1.arrival
      }
  }

  /// Queued jobs that have no worker and aren't known to lack space, in the order of priority and arrival.
  package var queued: [JobRecord] {
    records.values
      .filter {
        $0.state == .queued && !running.contains($0.id) && !leaving.contains($0.id) && shortages[$0.id] == nil
      }
      .sorted { ($1.priority, $0.arrival) < ($0.priority, $1.arrival) }
  }

  /// The moment of the next retry after `now`, in seconds since 1970; `nil` if there is none.
  package func nextRetry(after now: Double) -> Double? {
    // Each turn of the loop calls this, and there may be very many other jobs.
    holding.compactMap { id in
      guard let hold = records[id]?.hold, !hold.isDue(at: now) else { return nil }
      return hold.until
    }.min()
  }

  private struct Place: Comparable {
    let priority: Int
    let arrival: Int
    let id: String

    /// The place of a job that may start now or later; `nil` for any other job.
    init?(_ record: JobRecord) {
      guard record.state == .queued || record.state == .waiting else { return nil }
      (priority, arrival, id) = (record.priority, record.arrival, record.id)
    }

    static func < (one: Place, other: Place) -> Bool {
      (other.priority, one.arrival, one.id) < (one.priority, other.arrival, other.id)
    }
  }
}
