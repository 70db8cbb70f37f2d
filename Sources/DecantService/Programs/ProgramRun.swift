internal import DecantPolicyPrograms
internal import Glibc

final class ProgramRun {
  enum End: Sendable, Hashable {
    case exit(Int32)
    case signal(Int32)
    /// The program took longer than this limit in seconds.
    case timeLimit(Double)
  }

  /// The largest number of output lines that are logged, and the largest number of bytes of each line.
  static let mostLines = 100
  static let longestLine = 2000
  /// The seconds between SIGTERM and SIGKILL.
  private static let graceSeconds = 5.0

  let note: ProgramNote
  let path: String
  private let process: Int32
  /// The descriptor of the program's standard output and standard error; -1 after their end.
  private(set) var output: Int32
  private let startedAt: Double
  private let limit: Double
  private var askedAt: Double?
  private var rest: [UInt8] = []
  private var lines = 0

  /// - Parameter words: The program's path and arguments.
  init(
    _ words: [String], _ note: ProgramNote, spool: String, limit: Double, at now: Double
  ) throws(ChildProcess.Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ChildProcess.Failure(code: errno) }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { if null >= 0 { close(null) } }
    do throws(ChildProcess.Failure) {
      process = try ChildProcess.spawn(
        words, path: words[0], folder: "/", descriptors: [max(0, null), ends[1], ends[1]],
        environment: note.environment(spool: spool), group: 0)
    } catch {
      close(ends[0])
      throw error
    }
    (self.note, path, output) = (note, words[0], ends[0])
    (startedAt, self.limit) = (now, limit)
  }

  deinit { if output >= 0 { close(output) } }

  /// When the program gets the next signal to end, in seconds of the steady clock.
  var deadline: Double { askedAt.map { $0 + Self.graceSeconds } ?? startedAt + limit }

  func kill() { _ = Glibc.kill(-process, SIGKILL) }

  /// Takes the program's output, ends the program when its time is over, and checks whether it has ended.
  ///
  /// - Parameter say: Gets each line of the output.
  /// - Returns: How the program has ended; `nil` while it runs.
  func turn(at now: Double, say: (String) -> Void) -> End? {
    read(say)
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else {
      if now >= deadline {
        _ = Glibc.kill(-process, askedAt == nil ? SIGTERM : SIGKILL)
        askedAt = askedAt ?? now
      }
      return nil
    }
    read(say)
    flush(say)
    // Processes that the program has left running would escape the limits.
    kill()
    if askedAt != nil { return .timeLimit(limit) }
    return status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }

  private func read(_ say: (String) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A program that never stops writing must not block the loop.
    for _ in 0..<16 where output >= 0 {
      let count = Glibc.read(output, &buffer, buffer.count)
      if count < 0 { return }
      guard count > 0 else {
        close(output)
        output = -1
        return
      }
      for byte in buffer.prefix(count) {
        if byte == 0x0A { flush(say) } else if rest.count < Self.longestLine { rest.append(byte) }
      }
    }
  }

  private func flush(_ say: (String) -> Void) {
    guard !rest.isEmpty else { return }
    lines += 1
    if lines <= Self.mostLines { say(String(decoding: rest, as: UTF8.self)) }
    if lines == Self.mostLines + 1 { say("(further lines are left out)") }
    rest = []
  }
}
