internal import CLinux
internal import Glibc
internal import LineOutput

/// A running policy program, with its pipes and its exit status.
///
/// Writing and reading alternate, so that full pipes can't block both sides.
final class ProgramProcess {
  typealias Reason = PolicyProgramError.Reason
  typealias Moment = PolicyProgramError.Moment

  /// The seconds that Decant waits for the exit code of a program that has closed a pipe.
  private static let lastSeconds = 1.0

  let processID: Int32
  /// The process that leads the group, and ends the group after Decant has ended.
  private let guardian: Int32
  private let limits: PolicyProgramLimits
  private let isStopped: @Sendable () -> Bool
  private var input: Int32
  private var output: Int32
  private var errors: Int32
  /// The write end of the guardian's pipe; the kernel closes it when Decant ends.
  private var life: Int32
  private var lines: ProgramLines
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var errorTail: [UInt8] = []
  private var status: Int32?

  init(
    _ running: ProgramSpawn.Running, limits: PolicyProgramLimits, isStopped: @escaping @Sendable () -> Bool
  ) {
    processID = running.process
    guardian = running.guardian
    life = running.life
    input = running.input
    output = running.output
    errors = running.errors
    self.limits = limits
    self.isStopped = isStopped
    lines = ProgramLines(limit: limits.lineBytes)
  }

  deinit { end() }

  /// Writes a line, and reads lines up to the last line of the answer.
  ///
  /// - Parameter take: Reads a line; true for the last line of the answer.
  func converse(
    _ line: [UInt8], seconds: Double, _ moment: Moment, take: (ProgramLines.Line) throws(Reason) -> Bool
  ) throws(Reason) {
    let deadline = Self.now + seconds
    var written = 0
    var taken = 0
    var isAnswered = false
    var isOpen = true
    while true {
      while !isAnswered, let line = lines.next() {
        guard line.bytes.count <= limits.lineBytes else {
          throw .lineTooLong(limit: limits.lineBytes, moment)
        }
        taken += line.bytes.count
        guard taken <= limits.answerBytes else { throw .answerTooLong(limit: limits.answerBytes, moment) }
        isAnswered = try take(line)
      }
      if isAnswered, written == line.count { return }
      guard isOpen else { throw outputEnd(moment) }
      guard !lines.isOverflowing else { throw .lineTooLong(limit: limits.lineBytes, moment) }
      guard !isStopped() else { throw .stopped }
      let now = Self.now
      guard now < deadline else { throw .timedOut(seconds: seconds, moment) }
      wait(seconds: min(deadline - now, 0.1), toWrite: written < line.count)
      if written < line.count {
        switch ProgramPipe.write(line[written...], to: input) {
        case .accepted(let count): written += count
        case .closed: throw conclusion(moment) ?? .closedInput(moment)
        case .failed(let code): throw .pipeFailed(code: code, moment)
        }
      }
      drainErrors()
      isOpen = try readOutput(moment)
    }
  }

  /// A line that the program wrote before it got a request; `nil` if there is none.
  func unaskedLine(_ moment: Moment) throws(Reason) -> ProgramLines.Line? {
    _ = try readOutput(moment)
    return lines.next()
  }

  /// Writes a last line, closes the program's input and waits for the program's end.
  func finish(_ line: [UInt8], seconds: Double) throws(Reason) {
    let deadline = Self.now + seconds
    var written = 0
    while true {
      drainErrors()
      let isOpen = try readOutput(.ending)
      if let line = lines.next() { throw Self.unasked(line, .ending) }
      guard !lines.isOverflowing else { throw .lineTooLong(limit: limits.lineBytes, .ending) }
      if input >= 0 {
        switch ProgramPipe.write(line[written...], to: input) {
        case .accepted(let count): written += count
        // A program that has closed its input needs no last line.
        case .closed: written = line.count
        case .failed(let code): throw .pipeFailed(code: code, .ending)
        }
        if written >= line.count { Self.close(&input) }
      }
      if let reason = ended(.ending) {
        guard reason == .exited(0, .ending) else { throw reason }
        return try checkLastOutput()
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

  private func checkLastOutput() throws(Reason) {
    reading: while output >= 0, !lines.isOverflowing {
      switch DescriptorReading.read(output, into: &buffer) {
      case .bytes(let bytes): lines.append(bytes)
      case .nothing, .end: break reading
      case .failed(let code): throw .pipeFailed(code: code, .ending)
      }
    }
    if let line = lines.next() { throw Self.unasked(line, .ending) }
    if let rest = lines.rest { throw .cutOff(.init(rest, "it has no end"), .ending) }
  }

  private func outputEnd(_ moment: Moment) -> Reason {
    let reason = conclusion(moment)
    switch reason {
    case nil, .exited(0, _):
      if let rest = lines.rest { return .cutOff(.init(rest, "it has no end"), moment) }
      return reason ?? .closedOutput(moment)
    case let reason?: return reason
    }
  }

  static func unasked(_ line: ProgramLines.Line, _ moment: Moment) -> Reason {
    .badLine(.init(line, "nothing was asked for"), moment)
  }

  /// Ends the program and the processes of its group, and closes the pipes.
  func end() {
    if status == nil {
      reap()
    }
    drainErrors()
    Self.close(&input)
    Self.close(&output)
    Self.close(&errors)
    Self.close(&life)
  }

  /// The end of the program's standard error, in one line.
  var lastWords: String { LastWords.lines(of: errorTail, atMost: 6).joined(separator: " | ") }

  // MARK: Ends

  private func reap() {
    kill(-guardian, SIGKILL)
    kill(processID, SIGKILL)
    var status: Int32 = 0
    while waitpid(processID, &status, 0) == -1, errno == EINTR {}
    self.status = status
    while waitpid(guardian, &status, 0) == -1, errno == EINTR {}
  }

  private func ended(_ moment: Moment) -> Reason? {
    if status == nil {
      guard decant_has_ended(processID) != 0 else { return nil }
      // The program's child processes are ended, too, before another group can get the group's number.
      reap()
      drainErrors()
    }
    guard let status else { return nil }
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff, moment) : .killed(signal: signal, moment)
  }

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

  /// Waits for a pipe to become ready; closed pipes are ignored.
  private func wait(seconds: Double, toWrite: Bool) {
    var slots = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    if toWrite { slots.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
    _ = poll(&slots, nfds_t(slots.count), Int32((seconds * 1000).rounded(.up)))
  }

  /// Reads the next bytes of the output; false at the end of the output.
  private func readOutput(_ moment: Moment) throws(Reason) -> Bool {
    guard output >= 0 else { return false }
    switch DescriptorReading.read(output, into: &buffer) {
    case .bytes(let bytes): lines.append(bytes)
    case .nothing: break
    case .end:
      Self.close(&output)
      return false
    case .failed(let code): throw .pipeFailed(code: code, moment)
    }
    return true
  }

  /// Reads standard error; the amount is limited, so that much output can't block other work.
  private func drainErrors() {
    for _ in 0..<64 {
      guard errors >= 0 else { return }
      switch DescriptorReading.read(errors, into: &buffer) {
      case .bytes(let bytes):
        errorTail += bytes
        if errorTail.count > limits.errorTailBytes {
          errorTail.removeFirst(errorTail.count - limits.errorTailBytes)
        }
      case .nothing: return
      // Standard error is only quoted in messages, so a failure only shortens the quote.
      case .end, .failed: return Self.close(&errors)
      }
    }
  }
}
