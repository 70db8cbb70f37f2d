internal import DecantConsole
internal import DecantReport
internal import Foundation

/// The part of `/status` that `decant` shows.
///
/// The daemon may be of another version: unknown keys are ignored, and most keys may be missing.
struct DaemonStatus: Sendable, Decodable {
  struct Check: Sendable, Decodable {
    var name: String
    var ok: Bool
    var warning: Bool?
    var message: String
  }

  struct Counts: Sendable, Decodable {
    var queued: Int?
    var running: Int?
    var waiting: Int?
    var blocked: Int?
    var done: Int?
    var failed: Int?
  }

  struct Queue: Sendable, Decodable {
    var bytes: Int?
    var etaSeconds: Double?
  }

  struct Workers: Sendable, Decodable {
    var configured: Int?
    var busy: Int?
    var nice: Int?
    var ioPriority: String?
  }

  struct Running: Sendable, Decodable {
    var job: String
    var drop: String?
    var store: String
    var bytes: Int?
    var attempt: Int?
    var seconds: Double?
    var progress: Lenient<MigrationProgress>?
    var rowsPerSecond: Double?
    var passEtaSeconds: Double?
    var etaSeconds: Double?
    var memoryBytes: Int?
    var peakMemoryBytes: Int?
  }

  struct Pause: Sendable, Decodable {
    var since: String?
    var stopsJobs: Bool?
  }

  struct Queued: Sendable, Decodable {
    var job: String
    var drop: String?
    var store: String
    var bytes: Int?
    var priority: Int?
  }

  struct Waiting: Sendable, Decodable {
    var job: String
    var drop: String?
    var store: String
    var cause: String?
    var message: String?
    var until: String?
  }

  struct Blocked: Sendable, Decodable {
    var drop: String
    var message: String
    var command: String?
  }

  struct Family: Sendable, Decodable {
    var family: String
    var message: String
  }

  struct Result: Sendable, Decodable {
    var job: String
    var drop: String?
    var store: String
    var place: String
    var folder: String?
    var ended: String?
    var result: String?
    var from: String?
    var to: String?
    var seconds: Double?
    var rows: Int?
    var withoutValue: Int?
    var filtered: Int?
    var refused: Int?
    var leftOut: Int?
    var losses: Int?
    var lostValues: Int?
    var warnings: Int?
    var reason: String?
    var message: String?
    var advice: String?
    var coreDataCode: Int?
  }

  /// A value that counts as missing if it can't be decoded.
  struct Lenient<Value: Decodable & Sendable>: Sendable, Decodable {
    var value: Value?

    init(_ value: Value?) { self.value = value }
    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
  }

  var version: String
  var state: String
  var process: Int?
  var uptimeSeconds: Double?
  var spool: String?
  var freeBytes: Int?
  var pause: Pause?
  var jobs: Counts?
  var queue: Queue?
  var workers: Workers?
  var checks: [Check]?
  var running: [Running]?
  var queued: [Queued]?
  var waiting: [Waiting]?
  var blocked: [Blocked]?
  var families: [Family]?
  var results: [Result]?

  /// Whether drops are taken and jobs can go on.
  var isReady: Bool { state == "running" && (checks ?? []).allSatisfy(\.ok) }

  /// The job that isn't over and has this name; else the latest such job of a drop with this name.
  func active(_ name: String) -> (job: String, drop: String?, isWaiting: Bool)? {
    let all: [(job: String, drop: String?, isWaiting: Bool)] =
      (running ?? []).map { ($0.job, $0.drop, false) } + (waiting ?? []).map { ($0.job, $0.drop, true) }
      + (queued ?? []).map { ($0.job, $0.drop, false) }
    // The names of jobs sort in the order in which the jobs were taken.
    return all.first { $0.job == name } ?? all.filter { $0.drop == name }.max { $0.job < $1.job }
  }

  /// `ready`, `paused`, `not ready`, or the state of a daemon that starts or stops.
  var word: String {
    guard state == "running" else { return PlainText.of(state) }
    return isReady ? "ready" : pause == nil ? "not ready" : "paused"
  }
}

extension HealthClient {
  /// The status as values, and as the daemon's own JSON.
  func status() throws(CommandFailure) -> (values: DaemonStatus, json: JSON) {
    let answer = try ask("/status")
    let data = Data(answer.body)
    guard answer.code == 200, let values = try? JSONDecoder().decode(DaemonStatus.self, from: data),
      let json = try? JSONDecoder().decode(JSON.self, from: data)
    else { throw Self.nonsense(path) }
    return (values, json)
  }
}
