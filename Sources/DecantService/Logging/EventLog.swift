internal import DecantReport
internal import DecantWorker

/// Reports events in the journal or on standard error, and in `progress.log`.
///
/// This object also keeps the totals, the last results, and the problems that are not over.
final class EventLog {
  let progress: ProgressLog
  /// Counts since the start of this process.
  var totals = ServiceStatus.Totals()
  /// The last jobs that left `work/` since the start of this process.
  var results = RecentResults()
  /// The problems that are not over, by name.
  private(set) var troubles: [String: String] = [:]
  private var said: Set<String> = []
  private let log: ServiceLog
  private let clock: ServiceClock

  init(log: ServiceLog, progress: ProgressLog, clock: ServiceClock) {
    self.log = log
    self.progress = progress
    self.clock = clock
  }

  func say(
    _ priority: ServiceLog.Priority, _ words: String, event: String, about record: JobRecord? = nil,
    pass: String? = nil
  ) {
    log.say(JournalRecord(priority, words, event: event, about: record, pass: pass))
  }

  /// Writes one message, unless its key is still remembered from an earlier message; true if it is written.
  @discardableResult
  func say(
    once key: String, _ priority: ServiceLog.Priority, _ words: String, event: String,
    about record: JobRecord? = nil
  ) -> Bool {
    guard said.insert(key).inserted else { return false }
    say(priority, words, event: event, about: record)
    if said.count > 10_000 { said = [] }
    return true
  }

  /// Records a problem, and logs it if its words are new.
  func trouble(_ name: String, _ words: String, about record: JobRecord? = nil) {
    guard troubles[name] != words else { return }
    troubles[name] = words
    say(.error, words, event: name, about: record)
  }

  func clear(_ name: String) {
    if troubles.removeValue(forKey: name) != nil { say(.notice, TroubleEnd.sentence(about: name), event: name) }
  }

  /// Waits until everything is written, but at most a second.
  func finish() { log.finish() }

  /// Writes one line about no job to `progress.log`.
  func write(event: String, _ fields: [(String, String)]) {
    put([("time", Timestamp.text(clock.wall())), ("event", event)] + fields)
  }

  /// Writes one line about a job to `progress.log`.
  func write(_ record: JobRecord, _ event: String, _ fields: [(String, String)]) {
    write(record.id, record, record.title, [("event", event)] + fields)
  }

  /// Writes the progress of a job to `progress.log`.
  func write(_ running: RunningJob, _ record: JobRecord?) {
    write(
      running.meter.job, record, running.meter.store,
      running.meter.fields(peakMemory: ProcessMemory.bytes(of: "\(running.worker)")))
  }

  private func write(_ job: String, _ record: JobRecord?, _ store: String, _ fields: [(String, String)]) {
    put(
      [
        ("time", Timestamp.text(clock.wall())), ("job", job), ("drop", record?.drop.description ?? ""),
        ("store", store),
      ] + fields)
  }

  private func put(_ fields: [(String, String)]) {
    progress.write(fields)
    if let problem = progress.trouble {
      trouble("progress log", "The progress log can't be written, so its lines are lost. \(problem)")
    } else {
      clear("progress log")
    }
  }
}
