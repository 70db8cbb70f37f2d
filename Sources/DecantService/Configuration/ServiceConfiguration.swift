package import DecantWorker

/// The daemon's settings; see `ConfigurationKey.all` for the meaning of each.
package struct ServiceConfiguration: Sendable, Hashable {
  /// What happens to a migrated store's original.
  package enum Originals: String, Sendable, Codable {
    case keep
    case delete
  }

  package var spool = "/var/spool/decant"
  package var catalogue = "/etc/decant/models"
  package var socket = "/run/decant/health.sock"
  package var progressLog = "/var/log/decant/progress.log"
  package var originals = Originals.keep
  /// `nil` for the dropper's.
  package var resultOwner: Account?
  package var resultGroup: Account?
  package var resultMode: UInt32?
  package var workers = 2
  package var settleSeconds = 5.0
  package var scanSeconds = 30.0
  /// `nil` for the daemon's own executable.
  package var worker: String?
  package var workerJobs = WorkerOptions.usual.jobs ?? 0
  package var workerSeconds = WorkerOptions.usual.seconds ?? 0
  package var workerMemoryBytes = WorkerOptions.usual.memory ?? 0
  package var hangSeconds = 3600.0
  package var attempts = 2
  package var retrySeconds = 10.0
  package var retryMaximumSeconds = 600.0
  package var minimumFreeBytes = 268_435_456
  package var spaceFactor = 2.5
  package var bigStoreBytes = 268_435_456
  package var longSeconds = 60.0
  package var stopSeconds = 90.0
  /// 0 for ever; so the two after it.
  package var keepDoneDays = 0.0
  package var keepFailedDays = 0.0
  package var keepDoneBytes = 0
  /// The program and its arguments; `nil` for none.
  package var onDone: [String]?
  package var onFailed: [String]?
  package var programSeconds = 60.0
  package var nice = 0
  package var ioPriority = WorkerPriority.IO.normal
  /// The file that was read; `nil` for the defaults.
  package var file: String?
  /// The settings that the file contains.
  package var given: Set<String> = []

  package init() {}

  /// Sets a key to a value that fits the key's form.
  mutating func set(_ key: String, path: String) {
    switch key {
    case "spool": spool = path
    case "catalogue": catalogue = path
    case "socket": socket = path
    case "progressLog": progressLog = path
    case "worker": worker = path
    default: break
    }
  }

  mutating func set(_ key: String, count: Int) {
    switch key {
    case "workers": workers = count
    case "workerJobs": workerJobs = count
    case "workerMemoryBytes": workerMemoryBytes = count
    case "attempts": attempts = count
    case "minimumFreeBytes": minimumFreeBytes = count
    case "bigStoreBytes": bigStoreBytes = count
    case "keepDoneBytes": keepDoneBytes = count
    case "nice": nice = count
    default: break
    }
  }

  /// Sets a key to a text that fits the key's form.
  ///
  /// - Returns: Whether it does.
  mutating func set(_ key: String, text: String) -> Bool {
    switch key {
    case "originals": return Originals(rawValue: text).map { originals = $0 } != nil
    case "ioPriority": return WorkerPriority.IO(rawValue: text).map { ioPriority = $0 } != nil
    case "resultOwner":
      resultOwner = Account(user: text)
      return resultOwner != nil
    case "resultGroup":
      resultGroup = Account(group: text)
      return resultGroup != nil
    case "resultMode":
      resultMode = FileMode.bits(of: text)
      return resultMode != nil
    default: return false
    }
  }

  mutating func set(_ key: String, number: Double) {
    switch key {
    case "settleSeconds": settleSeconds = number
    case "scanSeconds": scanSeconds = number
    case "workerSeconds": workerSeconds = number
    case "hangSeconds": hangSeconds = number
    case "retrySeconds": retrySeconds = number
    case "retryMaximumSeconds": retryMaximumSeconds = number
    case "spaceFactor": spaceFactor = number
    case "longSeconds": longSeconds = number
    case "stopSeconds": stopSeconds = number
    case "keepDoneDays": keepDoneDays = number
    case "keepFailedDays": keepFailedDays = number
    case "programSeconds": programSeconds = number
    default: break
    }
  }

  mutating func set(_ key: String, program: [String]) {
    switch key {
    case "onDone": onDone = program
    case "onFailed": onFailed = program
    default: break
    }
  }

  /// The value of a key as JSON5 text; `nil` for a key that doesn't exist.
  package func text(of key: String) -> String? {
    switch key {
    case "spool": Self.quote(spool)
    case "catalogue": Self.quote(catalogue)
    case "socket": Self.quote(socket)
    case "progressLog": Self.quote(progressLog)
    case "originals": Self.quote(originals.rawValue)
    case "resultOwner": resultOwner.map { Self.quote($0.name) } ?? "null"
    case "resultGroup": resultGroup.map { Self.quote($0.name) } ?? "null"
    case "resultMode": resultMode.map { Self.quote("0" + String($0, radix: 8)) } ?? "null"
    case "workers": String(workers)
    case "settleSeconds": Self.number(settleSeconds)
    case "scanSeconds": Self.number(scanSeconds)
    case "worker": worker.map(Self.quote) ?? "null"
    case "workerJobs": String(workerJobs)
    case "workerSeconds": Self.number(workerSeconds)
    case "workerMemoryBytes": String(workerMemoryBytes)
    case "hangSeconds": Self.number(hangSeconds)
    case "attempts": String(attempts)
    case "retrySeconds": Self.number(retrySeconds)
    case "retryMaximumSeconds": Self.number(retryMaximumSeconds)
    case "minimumFreeBytes": String(minimumFreeBytes)
    case "spaceFactor": Self.number(spaceFactor)
    case "bigStoreBytes": String(bigStoreBytes)
    case "longSeconds": Self.number(longSeconds)
    case "stopSeconds": Self.number(stopSeconds)
    case "keepDoneDays": Self.number(keepDoneDays)
    case "keepFailedDays": Self.number(keepFailedDays)
    case "keepDoneBytes": String(keepDoneBytes)
    case "onDone": Self.list(onDone)
    case "onFailed": Self.list(onFailed)
    case "programSeconds": Self.number(programSeconds)
    case "nice": String(nice)
    case "ioPriority": Self.quote(ioPriority.rawValue)
    default: nil
    }
  }

  private static func number(_ value: Double) -> String {
    value.rounded() == value && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  private static func list(_ words: [String]?) -> String {
    words.map { "[" + $0.map(quote).joined(separator: ", ") + "]" } ?? "null"
  }

  private static func quote(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\n": quoted += "\\n"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension ServiceConfiguration {
  /// Who may read results, where that isn't the dropper's choice.
  var resultRules: ResultRules {
    ResultRules(owner: resultOwner?.number, group: resultGroup?.number, mode: resultMode)
  }

  /// How workers are started and limited.
  var poolSettings: WorkerPool.Settings {
    var arguments = ["--worker", "--jobs", "\(workerJobs)", "--seconds", "\(workerSeconds)"]
    if workerMemoryBytes > 0 { arguments += ["--memory", "\(workerMemoryBytes)"] }
    return WorkerPool.Settings(
      // This is the running executable, even if an upgrade has replaced its file.
      executable: worker ?? "/proc/self/exe", arguments: arguments, count: workers, hangSeconds: hangSeconds,
      stopSeconds: stopSeconds, priority: WorkerPriority(nice: nice, io: ioPriority))
  }
}
