import DecantMigration
import DecantReport
import DecantTestSupport
import Foundation
import Glibc
import Testing

@testable import DecantWorker

@Suite("The worker's side of the protocol")
struct WorkerLoopTests {
  private static let report = MigrationReport(
    result: .migrated, store: "N.sqlite", family: "Notas", sourceVersion: "1", targetVersion: "2",
    decantVersion: "t")

  private static let progress = MigrationProgress(
    step: 1, steps: 1, sourceVersion: "1", destinationVersion: "2", pass: 1, passes: 1, passName: "p",
    stage: .create)

  /// Runs a worker over pipes and returns its exit code and output.
  private func serve(
    _ input: String, options: WorkerOptions = WorkerOptions(), stop: StopSignal = StopSignal(),
    run: @escaping WorkerLoop.Run
  ) throws -> (code: Int32, events: [WorkerEvent]) {
    let jobs = Pipe()
    let output = Pipe()
    try jobs.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try jobs.fileHandleForWriting.close()
    let loop = WorkerLoop(
      input: jobs.fileHandleForReading.fileDescriptor, output: output.fileHandleForWriting.fileDescriptor,
      options: options, stop: stop, run: run)
    let code = loop.serve()
    try output.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let events = try text.split(separator: 0x0A).map { try JSONLine.decode(WorkerEvent.self, from: Data($0)) }
    return (code, events)
  }

  private func line(_ id: String, in folder: TemporaryFolder) throws -> String {
    let job = WorkerJob(
      id: id, source: "/s/\(id)", output: "/o", workFolder: folder.path, catalogue: "/c", target: "2")
    return String(decoding: try JSONLine.encode(job), as: UTF8.self)
  }

  @Test("a worker says hello, then progress and one result for each job, until its input closes")
  func jobs() throws {
    let folder = try TemporaryFolder.short()
    let input = try line("a", in: folder) + line("b", in: folder)
    let (code, events) = try serve(input) { (job, _, progress) throws(MigrationFailure) in
      progress(Self.progress)
      guard job.source.path == "/s/a", job.target == "2" else {
        throw MigrationFailure(FailureReason(word: "no"), .refuse, message: "No.")
      }
      return Self.report
    }
    #expect(code == 0)
    #expect(events.count == 5)
    #expect(events[0].hello?.protocol == WorkerEvent.protocolNumber)
    #expect(events[1].job == "a" && events[1].progress == Self.progress)
    #expect(events[2].job == "a" && events[2].report == Self.report && events[2].last == false)
    #expect((events[2].peakMemory ?? 0) > 0)
    #expect(events[4].job == "b" && events[4].failure?.reason.word == "no")
  }

  @Test("the first progress is written at once, and later progress at most at the set pace")
  func pace() {
    let pace = ProgressPace()
    let start = ContinuousClock.now
    let times = [0, 1, 49, 50, 60, 99, 101, 5_000, 5_001]
    let due = times.filter { pace.isDue(of: nil, at: start + .milliseconds($0)) }
    #expect(due == [0, 50, 101, 5_000])
    // The family of a store is reported at once.
    #expect(pace.isDue(of: "Notas", at: start + .milliseconds(5_002)))
    #expect(!pace.isDue(of: "Notas", at: start + .milliseconds(5_003)))
  }

  @Test("a worker ends after its number of jobs, and says so with the last result")
  func lifeInJobs() throws {
    let folder = try TemporaryFolder.short()
    let input = try line("a", in: folder) + line("b", in: folder) + line("c", in: folder)
    let (code, events) = try serve(input, options: WorkerOptions(jobs: 2)) {
      (_, _, _) throws(MigrationFailure) in Self.report
    }
    #expect(code == 0)
    #expect(events.compactMap(\.job) == ["a", "b"])
    #expect(events.compactMap(\.last) == [false, true])
  }

  @Test("a worker ends after its time")
  func lifeInSeconds() throws {
    let folder = try TemporaryFolder.short()
    let input = try line("a", in: folder) + line("b", in: folder)
    let (_, events) = try serve(input, options: WorkerOptions(seconds: 0)) {
      (_, _, _) throws(MigrationFailure) in Self.report
    }
    #expect(events.compactMap(\.job) == ["a"])
    #expect(events.last?.last == true)
  }

  @Test("a stop ends the running job, and no further job begins")
  func stop() throws {
    let folder = try TemporaryFolder.short()
    let stop = StopSignal()
    let input = try line("a", in: folder) + line("b", in: folder)
    let (code, events) = try serve(input, stop: stop) { (_, shouldStop, _) throws(MigrationFailure) in
      #expect(!shouldStop())
      stop.stop()
      #expect(shouldStop())
      throw MigrationFailure(.stopped, message: "Stopped.")
    }
    #expect(code == 0)
    #expect(events.compactMap(\.job) == ["a"])
    #expect(events.last?.failure?.disposition == .stopped)
  }

  @Test("a line that isn't a job ends the worker with 65")
  func rubbish() throws {
    let (code, events) = try serve("rubbish\n") { (_, _, _) throws(MigrationFailure) in Self.report }
    #expect(code == 65)
    #expect(events.count == 1)
    let (longCode, _) = try serve(String(repeating: "x", count: 60_000) + "\n") {
      (_, _, _) throws(MigrationFailure) in Self.report
    }
    #expect(longCode == 65)
  }

  @Test("two workers never work in one folder")
  func lock() throws {
    let folder = try TemporaryFolder.short()
    let lock = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let (_, events) = try serve(try line("a", in: folder)) { (_, _, _) throws(MigrationFailure) in Self.report }
    #expect(events.last?.failure?.disposition == .retry)
    #expect(events.last?.failure?.reason == .workFolderBusy)
  }

  @Test("the processor time of a job counts from its beginning")
  func processorTime() {
    let number = Int32(RLIMIT_CPU.rawValue)
    var former = rlimit()
    getrlimit(number, &former)
    defer { setrlimit(number, &former) }
    func left() -> Double {
      var limit = rlimit()
      getrlimit(number, &limit)
      return Double(limit.rlim_cur) - used()
    }
    func used() -> Double {
      var usage = rusage()
      getrusage(RUSAGE_SELF.rawValue, &usage)
      return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(
        usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
    ProcessLimits.beginJob(WorkerOptions(cpuSeconds: 100_000))
    #expect((99_990...100_002).contains(left()))
    let start = used()
    while used() < start + 2.5 {}
    #expect(left() < 100_000)
    ProcessLimits.beginJob(WorkerOptions(cpuSeconds: 100_000))
    #expect((99_990...100_002).contains(left()) && left() > 99_999)
    let limited = left()
    ProcessLimits.beginJob(WorkerOptions())
    #expect(left() <= limited)
  }

  @Test("the message about a worker that has used its processor time names the setting")
  func deathOfTime() {
    let death = WorkerDeath(
      worker: "The worker", executable: nil, cause: .end(.signal(SIGXCPU)), place: nil, lastWords: [],
      family: nil)
    #expect(death.advice(chunkSetting: "c", hangSetting: "h", memory: "m").contains("workerCpuSeconds"))
  }

  @Test("options are the same after they were written as arguments and read")
  func options() {
    let options = WorkerOptions(jobs: 3, seconds: 2.5, memory: 1 << 30, cpuSeconds: 7, fileBytes: 1 << 40)
    #expect(WorkerOptions(arguments: ["--worker"] + options.arguments) == options)
    #expect(WorkerOptions(arguments: ["--jobs", "x", "--memory"]) == WorkerOptions())
  }

  @Test("lines are split at newlines, however the input is cut, and a line above the limit is an error")
  func lines() {
    var buffer = LineBuffer(limit: 8)
    expect(feed(&buffer, "ab"), [])
    expect(feed(&buffer, "c\n\nde\nf"), ["abc", "", "de"])
    #expect(buffer.hasRest)
    expect(feed(&buffer, "123456789"), [])
    #expect(buffer.overflowed)
    expect(feed(&buffer, "\nx\n"), [])
  }

  private func expect(
    _ lines: [String], _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(lines == expected, sourceLocation: sourceLocation)
  }

  private func feed(_ buffer: inout LineBuffer, _ text: String) -> [String] {
    buffer.append(Data(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }
}
