internal import DecantMigration
internal import DecantPolicyPrograms
package import DecantReport
internal import Foundation
internal import Glibc
internal import LineOutput

/// A worker process from its supervisor's side: one process, three pipes, no blocking read.
package final class WorkerProcess {
  package enum End: Sendable, Hashable {
    case exit(Int32)
    case signal(Int32)

    /// Words for a message: “with exit code 3”, “by signal 11 (Segmentation fault)”.
    package var words: String {
      switch self {
      case .exit(let code): "with exit code \(code)"
      case .signal(let number): "by signal \(number) (\(String(cString: strsignal(number))))"
      }
    }
  }

  /// The maximum length of an event's line, in bytes.
  static let eventLineLimit = 16 << 20

  package let processID: Int32
  private var input: Int32
  package private(set) var output: Int32
  package private(set) var errors: Int32
  private var lines = LineBuffer(limit: WorkerProcess.eventLineLimit)
  private var errorTail = Data()
  /// Gets what the worker writes to standard error, as it comes.
  var listener: ((Data) -> Void)?
  private let note: WorkNote?
  /// The worker's last progress of its current job.
  private var progress: MigrationProgress?
  /// The number of bytes read from the worker's standard output.
  package private(set) var heardBytes = 0
  /// How the process ended; `nil` while it lives.
  package private(set) var end: End?
  /// The peak of the process's resident memory, in bytes; `nil` until the process has ended.
  package private(set) var lifePeakMemory: Int?

  package init(executable: String, arguments: [String]) throws(WorkerStartFailure) {
    let pipes = try WorkerPipes()
    note = WorkNote()
    do throws(WorkerStartFailure) {
      processID = try WorkerSpawn.spawn(executable, arguments: arguments, pipes: pipes, note: note)
    } catch {
      pipes.closeAll()
      if let note { close(note.descriptor) }
      throw error
    }
    pipes.closeChildEnds()
    input = pipes.input.write
    output = pipes.output.read
    errors = pipes.errors.read
  }

  deinit {
    closeInput()
    if output >= 0 { close(output) }
    if errors >= 0 { close(errors) }
    if let note { close(note.descriptor) }
    if end == nil {
      // Nothing else would wait for the process.
      Glibc.kill(-processID, SIGKILL)
      var status: Int32 = 0
      waitpid(processID, &status, 0)
    }
  }

  /// Sends a job; false if the worker doesn't take it.
  package func send(_ job: WorkerJob) -> Bool {
    // A job has only texts, whole numbers and flags, so it can always be encoded.
    guard input >= 0, let line = try? JSONLine.encode(job) else { return false }
    errorTail = Data()
    progress = nil
    return DescriptorIO.write(line, to: input) == 0
  }

  /// Closes the worker's input, so that the worker expects no further job.
  package func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Asks the worker to stop at the next chunk.
  package func terminate() { if end == nil { Glibc.kill(processID, SIGTERM) } }

  /// Ends the worker and its child processes at once.
  package func kill() {
    if end == nil { Glibc.kill(-processID, SIGKILL) }
  }

  /// The worker's events since the last call; also reads standard error.
  ///
  /// - Throws: `WorkerLineFailure` when a line is too long or not an event.
  package func events() throws(WorkerLineFailure) -> [WorkerEvent] {
    drainErrors()
    var events: [WorkerEvent] = []
    // Limited, so that a worker that writes without end can't block the daemon's loop.
    for _ in 0..<256 {
      guard output >= 0, case .bytes(let bytes) = readOrClose(&output) else { break }
      heardBytes &+= bytes.count
      for line in lines.append(Data(bytes)) {
        guard let event = try? JSONLine.decode(WorkerEvent.self, from: line) else {
          throw WorkerLineFailure(start: String(decoding: line.prefix(120), as: UTF8.self))
        }
        if let said = event.progress { progress = said }
        events.append(event)
      }
      if lines.overflowed { throw WorkerLineFailure(start: "(a line of more than 16 MiB)") }
    }
    return events
  }

  /// Checks whether the process has ended, without waiting.
  package func reap() -> End? {
    guard end == nil else { return end }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(processID, &status, WNOHANG, &usage) == processID else { return nil }
    lifePeakMemory = Int(usage.ru_maxrss) * 1024
    let signal = status & 0x7F
    end = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
    drainErrors()
    return end
  }

  /// The worker's last lines on standard error.
  package var lastWords: [String] { LastWords.lines(of: errorTail) }

  /// The place of the worker's work, also after the worker's end; `nil` if no place is known.
  package var place: WorkPlace? { note?.place ?? progress.flatMap { WorkPlace($0) } }

  /// The family of the worker's current or last store; `nil` before the worker has reported it.
  package var family: String? { progress?.family }

  func drainErrors() {
    for _ in 0..<256 {
      guard errors >= 0, case .bytes(let bytes) = readOrClose(&errors) else { return }
      listener?(Data(bytes))
      errorTail.append(contentsOf: bytes)
      if errorTail.count > LastWords.tailBytes { errorTail = Data(errorTail.suffix(LastWords.tailBytes)) }
    }
  }

  private func readOrClose(_ descriptor: inout Int32) -> DescriptorReading {
    let reading = DescriptorIO.read(descriptor)
    switch reading {
    case .bytes, .nothing: return reading
    case .failed(let code):
      errorTail.append(Data("The worker's output can't be read: \(String(cString: strerror(code)))\n".utf8))
    case .end: break
    }
    close(descriptor)
    descriptor = -1
    return reading
  }
}
