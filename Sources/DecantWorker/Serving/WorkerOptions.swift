/// A worker's limits and its note's descriptor, from the worker's arguments.
public struct WorkerOptions: Sendable, Hashable {
  /// The number of jobs after which the worker ends; `nil` for no limit.
  public var jobs: Int?
  /// The running time after which the worker takes at most one more job, in seconds; `nil` for no limit.
  public var seconds: Double?
  /// The bytes of private memory that the worker may hold; `nil` for no limit.
  public var memory: Int?
  /// The seconds of processor time that the worker may use for one job; `nil` for no limit.
  public var cpuSeconds: Int?
  /// The maximum size of a file that the worker may write, in bytes; `nil` for no limit.
  public var fileBytes: Int?
  /// The descriptor of the note for the place of the work; `nil` for no note.
  package var note: Int32?

  /// The limits of a worker by default: 1000 jobs, an hour, 2 GiB.
  package static let usual = WorkerOptions(jobs: 1000, seconds: 3600, memory: 2_147_483_648)

  public init(
    jobs: Int? = nil, seconds: Double? = nil, memory: Int? = nil, cpuSeconds: Int? = nil, fileBytes: Int? = nil
  ) {
    self.jobs = jobs
    self.seconds = seconds
    self.memory = memory
    self.cpuSeconds = cpuSeconds
    self.fileBytes = fileBytes
  }

  /// The options of a worker that only has a note.
  init(note: Int32) { self.note = note }

  /// Reads `--jobs N`, `--seconds N`, `--memory BYTES`, `--cpu-seconds N`, `--file-bytes BYTES` and
  /// `--note DESCRIPTOR`.
  ///
  /// Other arguments belong to the executable.
  public init(arguments: [String]) {
    func value(_ name: String) -> String? {
      guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
      return arguments[index + 1]
    }
    self.init(
      jobs: value("--jobs").flatMap(Int.init), seconds: value("--seconds").flatMap(Double.init),
      memory: value("--memory").flatMap(Int.init), cpuSeconds: value("--cpu-seconds").flatMap(Int.init),
      fileBytes: value("--file-bytes").flatMap(Int.init))
    note = value("--note").flatMap(Int32.init)
  }

  /// The arguments for `init(arguments:)` that give these options.
  public var arguments: [String] {
    var result: [String] = []
    if let jobs { result += ["--jobs", String(jobs)] }
    if let seconds { result += ["--seconds", String(seconds)] }
    if let memory { result += ["--memory", String(memory)] }
    if let cpuSeconds { result += ["--cpu-seconds", String(cpuSeconds)] }
    if let fileBytes { result += ["--file-bytes", String(fileBytes)] }
    if let note { result += ["--note", String(note)] }
    return result
  }
}
