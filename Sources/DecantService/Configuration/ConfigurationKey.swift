/// A setting: its name, type, default and meaning.
///
/// The reader, `--print-config`, the shipped `config/decantd.json5` and its test all use this list.
package struct ConfigurationKey: Sendable {
  /// What a setting's value may be.
  package enum Form: Sendable, Hashable {
    /// A path. A relative path starts at the configuration file's folder.
    case path
    case optionalPath
    case count(ClosedRange<Int>)
    /// Seconds, fractions allowed.
    case seconds(ClosedRange<Double>)
    case factor(ClosedRange<Double>)
    case word([String])
    /// The name or number of a user or group, or null.
    case user
    case group
    /// The permission bits of a file as octal digits, or null.
    case mode
    /// A list of a program and its arguments, or null.
    case program
  }

  package var name: String
  package var form: Form
  /// The value if the file has none, as JSON5 text.
  package var defaultText: String
  /// One or two sentences on its effect.
  package var meaning: String

  package static let all: [ConfigurationKey] = [
    ConfigurationKey(
      name: "spool", form: .path, defaultText: "\"/var/spool/decant\"",
      meaning: "The folder that holds incoming, work, done and failed, all on one file system."),
    ConfigurationKey(
      name: "catalogue", form: .path, defaultText: "\"/etc/decant/models\"",
      meaning: "The catalogue: a folder with one folder for each family of models."),
    ConfigurationKey(
      name: "socket", form: .path, defaultText: "\"/run/decant/health.sock\"",
      meaning: "The Unix socket of /livez, /readyz, /status and /metrics; at most 107 bytes long."),
    ConfigurationKey(
      name: "progressLog", form: .path, defaultText: "\"/var/log/decant/progress.log\"",
      meaning: "The file that gets one line per event; reopened on SIGHUP."),
    ConfigurationKey(
      name: "originals", form: .word(["keep", "delete"]), defaultText: "\"keep\"",
      meaning: "What happens to a migrated store's original: kept beside the result as original/, or deleted."),
    ConfigurationKey(
      name: "resultOwner", form: .user, defaultText: "null",
      meaning: "The user to whom results and reasons belong; null for the owner of the dropped store."),
    ConfigurationKey(
      name: "resultGroup", form: .group, defaultText: "null",
      meaning: "The group of results and reasons; null for the group of the dropped store."),
    ConfigurationKey(
      name: "resultMode", form: .mode, defaultText: "null",
      meaning:
        "The mode of the files of results and reasons, such as \"0640\"; null for that of the dropped store."),
    ConfigurationKey(
      name: "workers", form: .count(1...256), defaultText: "2",
      meaning: "How many stores are migrated at the same time, each in a separate process."),
    ConfigurationKey(
      name: "settleSeconds", form: .seconds(0...86_400), defaultText: "5",
      meaning: "How long loose files have to be unchanged before they are taken."),
    ConfigurationKey(
      name: "scanSeconds", form: .seconds(0.05...86_400), defaultText: "30",
      meaning: "How often incoming is scanned, even if the kernel has reported nothing."),
    ConfigurationKey(
      name: "worker", form: .optionalPath, defaultText: "null",
      meaning: "The worker executable; null for the daemon's own."),
    ConfigurationKey(
      name: "workerJobs", form: .count(1...1_000_000), defaultText: "1000",
      meaning: "The number of stores after which a worker process is replaced by a new one."),
    ConfigurationKey(
      name: "workerSeconds", form: .seconds(1...31_536_000), defaultText: "3600",
      meaning: "The seconds of life after which a worker process takes no further store."),
    ConfigurationKey(
      name: "workerMemoryBytes", form: .count(0...Int.max), defaultText: "2147483648",
      meaning: "The private memory that a worker process may hold; 0 for no limit."),
    ConfigurationKey(
      name: "hangSeconds", form: .seconds(0...31_536_000), defaultText: "3600",
      meaning: "The seconds without progress after which a worker is ended; 0 for never."),
    ConfigurationKey(
      name: "attempts", form: .count(1...100), defaultText: "2",
      meaning: "How many workers may die at a store before it goes to failed."),
    ConfigurationKey(
      name: "retrySeconds", form: .seconds(0.05...86_400), defaultText: "10",
      meaning:
        "The wait before a job is retried after a passing failure; each further wait is twice as long."),
    ConfigurationKey(
      name: "retryMaximumSeconds", form: .seconds(0.05...604_800), defaultText: "600",
      meaning: "The longest wait before a job is retried."),
    ConfigurationKey(
      name: "minimumFreeBytes", form: .count(0...Int.max), defaultText: "268435456",
      meaning: "The space that must stay free on the spool's file system for a job to start."),
    ConfigurationKey(
      name: "spaceFactor", form: .factor(0...100), defaultText: "2.5",
      meaning: "The space that a job is expected to need, as a multiple of its store's size."),
    ConfigurationKey(
      name: "bigStoreBytes", form: .count(0...Int.max), defaultText: "268435456",
      meaning:
        "The size from which a store is big: with several workers, one of them is kept for jobs that are short."
    ),
    ConfigurationKey(
      name: "longSeconds", form: .seconds(0...31_536_000), defaultText: "60",
      meaning:
        "The time from which a job is long, by the speed of earlier jobs and by its own time, like that of a big store."
    ),
    ConfigurationKey(
      name: "stopSeconds", form: .seconds(0...86_400), defaultText: "90",
      meaning:
        "How long workers have to commit their running chunk, when the daemon stops or a job is cancelled."),
    ConfigurationKey(
      name: "nice", form: .count(0...19), defaultText: "0",
      meaning: "The nice value of workers: with a higher one, they get less of a busy processor."),
    ConfigurationKey(
      name: "ioPriority", form: .word(["normal", "low", "idle"]), defaultText: "\"normal\"",
      meaning:
        "The workers' share of a busy disk, if its scheduler knows shares; idle: only what others leave."),
    ConfigurationKey(
      name: "keepDoneDays", form: .factor(0...36_500), defaultText: "0",
      meaning: "The days after which a result is removed from done; 0 for never."),
    ConfigurationKey(
      name: "keepFailedDays", form: .factor(0...36_500), defaultText: "0",
      meaning: "The days after which a refused store is removed from failed; 0 for never."),
    ConfigurationKey(
      name: "keepDoneBytes", form: .count(0...Int.max), defaultText: "0",
      meaning:
        "The bytes that all results in done may take; beyond that the oldest are removed. 0 for no limit."),
    ConfigurationKey(
      name: "onDone", form: .program, defaultText: "null",
      meaning:
        "A program that runs for each delivered store: a list of its absolute path and its arguments; null for none."
    ),
    ConfigurationKey(
      name: "onFailed", form: .program, defaultText: "null",
      meaning: "The same for each refused store."),
    ConfigurationKey(
      name: "programSeconds", form: .seconds(1...86_400), defaultText: "60",
      meaning: "The seconds after which a program of onDone or onFailed is ended."),
  ]

  package static func named(_ name: String) -> ConfigurationKey? { all.first { $0.name == name } }
}
