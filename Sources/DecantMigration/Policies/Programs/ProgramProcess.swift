internal import CLinux
internal import Glibc

/// A running policy program: writes to it, reads from it, and knows how it ended.
///
/// Writing and reading go on at once, so that neither side waits for the other; nothing waits longer than it is told.
final class ProgramProcess {
  typealias Reason = PolicyProgramError.Reason
  typealias Moment = PolicyProgramError.Moment

  /// The seconds that a program which closed a pipe is given to end by itself, so that its exit code can be told.
  private static let lastSeconds = 1.0

  let processID: Int32
  private let limits: PolicyProgramLimits
  private let isStopped: @Sendable () -> Bool
  private var input: Int32
  private var output: Int32
  private var errors: Int32
  private var lines: ProgramLines
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var errorTail: [UInt8] = []
  private var status: Int32?

  init(
    _ running: ProgramSpawn.Running, limits: PolicyProgramLimits, isStopped: @escaping @Sendable () -> Bool
  ) {
    processID = running.process
    input = running.input
    output = running.output
    errors = running.errors
    self.limits = limits
    self.isStopped = isStopped
    lines = ProgramLines(limit: limits.lineBytes)
  }

  deinit { end() }

  /// Writes a line and reads lines until one is the last.
  ///
  /// - Parameter take: Takes a line in; true when it is the answer's last.
  func converse(
    _ line: [UInt8], seconds: Double, _ moment: Moment, take: ([UInt8]) throws(Reason) -> Bool
  ) throws(Reason) {
    let deadline = Self.now + seconds
    var written = 0
    var taken = 0
    var isAnswered = false
    var isOpen = true
    while true {
      while !isAnswered, let line = lines.next() {
        guard line.count <= limits.lineBytes else { throw .lineTooLong(limit: limits.lineBytes, moment) }
        taken += line.count
        guard taken <= limits.answerBytes else { throw .answerTooLong(limit: limits.answerBytes, moment) }
        isAnswered = try take(line)
      }
      if isAnswered, written == line.count { return }
      guard isOpen else { throw conclusion(moment) ?? .closedOutput(moment) }
      guard !lines.isOverflowing else { throw .lineTooLong(limit: limits.lineBytes, moment) }
      guard !isStopped() else { throw .stopped }
      let now = Self.now
      guard now < deadline else { throw .timedOut(seconds: seconds, moment) }
      wait(seconds: min(deadline - now, 0.1), toWrite: written < line.count)
      if written < line.count {
        guard let count = ProgramPipe.write(line[written...], to: input) else {
          throw conclusion(moment) ?? .closedInput(moment)
        }
        written += count
      }
      drainErrors()
      isOpen = readOutput()
    }
  }

  /// A line that nobody has asked for, with which a program answers before it is asked.
  func unaskedLine() -> [UInt8]? {
    _ = readOutput()
    return lines.next()
  }

  /// Writes a last line, closes the program's input and waits for its end.
  func finish(_ line: [UInt8], seconds: Double) throws(Reason) {
    let deadline = Self.now + seconds
    var written = 0
    while true {
      drainErrors()
      let isOpen = readOutput()
      if let line = lines.next() { throw Self.unasked(line, .ending) }
      guard !lines.isOverflowing else { throw .lineTooLong(limit: limits.lineBytes, .ending) }
      if input >= 0 {
        // A program that has closed its input has no need of being told.
        written += ProgramPipe.write(line[written...], to: input) ?? line.count
        if written >= line.count { Self.close(&input) }
      }
      if let reason = ended(.ending) {
        if reason == .exited(0, .ending) { return }
        throw reason
      }
      guard !isStopped() else { throw .stopped }
      let now = Self.now
      guard now < deadline else { throw .runsOn(seconds: seconds) }
      if isOpen {
        wait(seconds: min(deadline - now, 0.02), toWrite: false)
      } else {
        usleep(5_000)
      }
    }
  }

  static func unasked(_ line: [UInt8], _ moment: Moment) -> Reason {
    .badLine(start(of: line), problem: "nothing was asked for", moment)
  }

  /// How a line begins, for a sentence.
  static func start(of line: [UInt8]) -> String {
    let text = String(decoding: line.prefix(200), as: UTF8.self)
    return text.count > 120 || line.count > 200 ? text.prefix(120) + "…" : text
  }

  /// Ends the program and whatever it started, where it still runs, and closes the pipes.
  func end() {
    if status == nil {
      reap()
    }
    drainErrors()
    Self.close(&input)
    Self.close(&output)
    Self.close(&errors)
  }

  /// The end of what the program has said on standard error, in one line.
  var lastWords: String {
    String(decoding: errorTail, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } } }
      .filter { !$0.isEmpty }.joined(separator: " | ")
  }

  // MARK: Ends

  private func reap() {
    kill(-processID, SIGKILL)
    kill(processID, SIGKILL)
    var status: Int32 = 0
    while waitpid(processID, &status, 0) == -1, errno == EINTR {}
    self.status = status
  }

  /// How the program ended; `nil` while it runs.
  private func ended(_ moment: Moment) -> Reason? {
    if status == nil {
      guard decant_has_ended(processID) != 0 else { return nil }
      // What it has started goes with it, as long as its number is still its own.
      reap()
      drainErrors()
    }
    guard let status else { return nil }
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff, moment) : .killed(signal: signal, moment)
  }

  /// How the program ended, which it may be about to do.
  private func conclusion(_ moment: Moment) -> Reason? {
    let deadline = Self.now + Self.lastSeconds
    while Self.now < deadline {
      drainErrors()
      if let reason = ended(moment) { return reason }
      usleep(5_000)
    }
    return nil
  }

  // MARK: Pipes

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func close(_ descriptor: inout Int32) {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Waits until there is something to do; a closed pipe counts for nothing.
  private func wait(seconds: Double, toWrite: Bool) {
    var slots = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    if toWrite { slots.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
    _ = poll(&slots, nfds_t(slots.count), Int32((seconds * 1000).rounded(.up)))
  }

  /// Reads a piece of what the program has said; false when nothing can come any more.
  private func readOutput() -> Bool {
    guard output >= 0 else { return false }
    switch ProgramPipe.read(output, into: &buffer) {
    case .bytes(let bytes): lines.append(bytes)
    case .nothing: break
    case .end:
      Self.close(&output)
      return false
    }
    return true
  }

  /// Takes in what is on standard error; bounded, so that a flood there can't hold everything else up.
  private func drainErrors() {
    for _ in 0..<64 {
      guard errors >= 0 else { return }
      switch ProgramPipe.read(errors, into: &buffer) {
      case .bytes(let bytes):
        errorTail += bytes
        if errorTail.count > limits.errorTailBytes {
          errorTail.removeFirst(errorTail.count - limits.errorTailBytes)
        }
      case .nothing: return
      case .end: return Self.close(&errors)
      }
    }
  }
}
