internal import DecantModel
internal import DecantSpool
package import DecantWorker
internal import FileNames
internal import Foundation

/// The daemon's settings; see `ConfigurationKey.all` for the meaning of each.
package struct ServiceConfiguration: Sendable, Hashable {
  /// What happens to a migrated store's original.
  package enum Originals: String, Sendable, Codable, CaseIterable {
    case keep
    case delete
  }

  /// The configuration file that is read if no file is named.
  package static let defaultFile = SettingsFiles.daemonFile

  package var spool = "/var/spool/decant"
  package var catalogue = "/etc/decant/models"
  package var socket = "/run/decant/health.sock"
  package var progressLog = "/var/log/decant/progress.log"
  package var originals = Originals.keep
  /// `nil` for the owner of the dropped store.
  package var resultOwner: Account?
  /// `nil` for the group of the dropped store.
  package var resultGroup: Account?
  /// `nil` for the mode of the dropped store.
  package var resultMode: UInt32?
  /// `nil` for the number of processors.
  package var wantedWorkers: Int?
  package var settleSeconds = 5.0
  package var scanSeconds = 30.0
  /// `nil` for the daemon's own executable.
  package var worker: String?
  package var workerJobs = WorkerOptions.usual.jobs ?? 0
  package var workerSeconds = WorkerOptions.usual.seconds ?? 0
  package var workerMemoryBytes = WorkerOptions.usual.memory ?? 0
  /// 0 for no limit.
  package var workerCpuSeconds = 0
  /// 0 for no limit.
  package var workerFileBytes = 0
  package var hangSeconds = 3600.0
  package var attempts = 2
  package var retrySeconds = 10.0
  package var retryMaximumSeconds = 600.0
  package var minimumFreeBytes = 268_435_456
  package var spaceFactor = 2.5
  package var bigStoreBytes = 268_435_456
  package var longSeconds = 60.0
  package var stopSeconds = 90.0
  /// 0 for no removal.
  package var keepDoneDays = 0.0
  /// 0 for no removal.
  package var keepFailedDays = 0.0
  /// 0 for no removal.
  package var keepDoneBytes = 0
  /// A program and its arguments; `nil` for none.
  package var onDone: [String]?
  /// A program and its arguments; `nil` for none.
  package var onFailed: [String]?
  package var programSeconds = 60.0
  package var nice = 0
  package var ioPriority = WorkerPriority.IO.normal
  /// The file that was read; `nil` for the defaults.
  package var file: String?
  /// The drop-in files that were read after `file`.
  package var dropIns: [String] = []
  /// The path of the file that sets each setting, by the setting's name; a setting that no file sets has no entry.
  package var origins: [String: String] = [:]

  package init() {}
}

extension ServiceConfiguration {
  var resultRules: ResultRules {
    ResultRules(owner: resultOwner?.number, group: resultGroup?.number, mode: resultMode)
  }

  /// The option with which commands of `decant` find this daemon, after a space; empty if they need no option.
  var commandOption: String {
    guard let file, file != Self.defaultFile else { return "" }
    return " --config \(ShellQuoting.quote(file))"
  }

  /// How many stores are migrated at the same time.
  package var workers: Int {
    get { wantedWorkers ?? Self.processors }
    set { wantedWorkers = newValue }
  }

  private static let processors = min(256, max(1, ProcessInfo.processInfo.activeProcessorCount))

  var poolSettings: WorkerPool.Settings {
    var arguments = ["--worker", "--jobs", "\(workerJobs)", "--seconds", "\(workerSeconds)"]
    if workerMemoryBytes > 0 { arguments += ["--memory", "\(workerMemoryBytes)"] }
    if workerCpuSeconds > 0 { arguments += ["--cpu-seconds", "\(workerCpuSeconds)"] }
    if workerFileBytes > 0 { arguments += ["--file-bytes", "\(workerFileBytes)"] }
    return WorkerPool.Settings(
      // `/proc/self/exe` is the running executable, even if an upgrade has replaced its file.
      executable: worker ?? "/proc/self/exe", arguments: arguments, count: workers, hangSeconds: hangSeconds,
      stopSeconds: stopSeconds, priority: WorkerPriority(nice: nice, io: ioPriority))
  }
}
