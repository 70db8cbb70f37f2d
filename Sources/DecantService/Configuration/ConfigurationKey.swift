internal import DecantModel

/// A setting: its name, its kind of value and its meaning.
///
/// The reader, `--print-config`, the shipped `config/decantd.json5` and its test use the list `all`.
package struct ConfigurationKey: Sendable {
  package let name: String
  package let meaning: String
  /// What a value has to be.
  let expectation: String
  /// Sets the value; false if the value isn't valid.
  ///
  /// Relative paths start at the folder `base`.
  let set: @Sendable (_ value: JSON5Value, _ configuration: inout ServiceConfiguration, _ base: String) -> Bool
  /// The value as JSON5 text.
  package let text: @Sendable (ServiceConfiguration) -> String

  package static let all: [ConfigurationKey] = [
    path("spool", \.spool, "The folder that holds incoming, work, done and failed, all on one file system."),
    path("catalogue", \.catalogue, "The catalogue: a folder with one folder for each family of models."),
    path(
      "socket", \.socket, "The Unix socket of /livez, /readyz, /status and /metrics; at most 107 bytes long."),
    path("progressLog", \.progressLog, "The file that gets one line per event; reopened on SIGHUP."),
    word(
      "originals", \.originals,
      "What happens to a migrated store's original: kept beside the result as original/, or deleted."),
    account(
      "resultOwner", \.resultOwner, .user,
      "The user to whom results and reasons belong; null for the owner of the dropped store."),
    account(
      "resultGroup", \.resultGroup, .group,
      "The group of results and reasons; null for the group of the dropped store."),
    mode(
      "resultMode", \.resultMode,
      "The mode of the files of results and reasons, such as \"0640\"; null for that of the dropped store."),
    optionalCount(
      "workers", \.wantedWorkers, 1...256,
      "How many stores are migrated at the same time, each in a separate process; null for the number of processors."
    ),
    seconds(
      "settleSeconds", \.settleSeconds, 0...86_400,
      "How long loose files must stay unchanged before they are taken."),
    seconds(
      "scanSeconds", \.scanSeconds, 0.05...86_400,
      "How often incoming is scanned, even if the kernel has reported nothing."),
    optionalPath("worker", \.worker, "The worker executable; null for the daemon's own."),
    count(
      "workerJobs", \.workerJobs, 1...1_000_000,
      "The number of stores after which a worker process is replaced by a new one."),
    seconds(
      "workerSeconds", \.workerSeconds, 1...31_536_000,
      "The seconds of life after which a worker process takes at most one more store."),
    count(
      "workerMemoryBytes", \.workerMemoryBytes, 0...Int.max,
      "The private memory that a worker process may hold; 0 for no limit."),
    count(
      "workerCpuSeconds", \.workerCpuSeconds, 0...31_536_000,
      "The seconds of processor time that a worker process may use for one store; 0 for no limit."),
    count(
      "workerFileBytes", \.workerFileBytes, 0...Int.max,
      "The size of the largest file that a worker process may write; 0 for no limit."),
    seconds(
      "hangSeconds", \.hangSeconds, 0...31_536_000,
      "The seconds without progress after which a worker is ended; 0 for never."),
    count("attempts", \.attempts, 1...100, "How many workers may die at a store before it goes to failed."),
    seconds(
      "retrySeconds", \.retrySeconds, 0.05...86_400,
      "The wait before a job is retried after a passing failure; each further wait is twice as long."),
    seconds(
      "retryMaximumSeconds", \.retryMaximumSeconds, 0.05...604_800,
      "The longest wait before a job is retried."),
    count(
      "minimumFreeBytes", \.minimumFreeBytes, 0...Int.max,
      "The space that must stay free on the spool's file system for a job to start."),
    number(
      "spaceFactor", \.spaceFactor, 0...100,
      "The space that a job is expected to need, as a multiple of its store's size."),
    count(
      "bigStoreBytes", \.bigStoreBytes, 0...Int.max,
      "The size from which a store is big. Of several workers, one takes no big stores and no long jobs."),
    seconds(
      "longSeconds", \.longSeconds, 0...31_536_000,
      "The time from which a job is long. Decant estimates the time of a job by the speed of earlier jobs."
    ),
    seconds(
      "stopSeconds", \.stopSeconds, 0...86_400,
      "How long workers have to commit their running chunk, when the daemon stops or a job is cancelled."),
    count(
      "nice", \.nice, 0...19, "The nice value of workers: with a higher one, they get less of a busy processor."
    ),
    word(
      "ioPriority", \.ioPriority,
      "The workers' share of a busy disk, if its scheduler knows shares; idle: only what others leave."),
    number(
      "keepDoneDays", \.keepDoneDays, 0...36_500,
      "The days after which a result is removed from done; 0 for never."),
    number(
      "keepFailedDays", \.keepFailedDays, 0...36_500,
      "The days after which a refused store is removed from failed; 0 for never."),
    count(
      "keepDoneBytes", \.keepDoneBytes, 0...Int.max,
      "The bytes that all results in done may take; beyond that the oldest are removed. 0 for no limit."),
    program(
      "onDone", \.onDone,
      "A program that runs for each delivered store: a list of its absolute path and its arguments; null for none."
    ),
    program(
      "onFailed", \.onFailed,
      "A program that runs for each refused store: a list of its absolute path and its arguments; null for none."
    ),
    seconds(
      "programSeconds", \.programSeconds, 1...86_400,
      "The seconds after which a program of onDone or onFailed is ended."),
  ]

  package static func named(_ name: String) -> ConfigurationKey? { all.first { $0.name == name } }

  /// The value without a configuration file, as JSON5 text.
  package var defaultText: String { text(ServiceConfiguration()) }
}
