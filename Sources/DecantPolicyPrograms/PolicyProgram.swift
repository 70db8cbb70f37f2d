/// A policy that is an external program (docs/policy-programs.md).
///
/// After an error, the program is ended.
package final class PolicyProgram {
  /// The version of the protocol; a program must state the same number.
  static let protocolNumber = 1

  private let words: [String]
  private let folder: String
  private let limits: PolicyProgramLimits
  private let isStopped: @Sendable () -> Bool
  private var process: ProgramProcess?
  private var hello: PolicyProgramHello?
  /// The number of batches so far.
  package private(set) var batches = 0

  /// - Parameters:
  ///   - words: The program and its arguments in the mapping model.
  ///   - folder: The family's folder: the program's working folder, and the base of its relative path.
  ///   - isStopped: Called several times a second while waiting for the program.
  package init(
    words: [String], folder: String, limits: PolicyProgramLimits = PolicyProgramLimits(),
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) {
    self.words = words
    self.folder = folder
    self.limits = limits
    self.isStopped = isStopped
  }

  /// Checks the program's folder and file, without running the program.
  package func check() throws(PolicyProgramError) {
    do throws(PolicyProgramError.Reason) {
      _ = try path()
    } catch {
      throw PolicyProgramError(words: words, reason: error)
    }
  }

  /// Starts the program, sends the hello, and reads the program's first line.
  package func start(_ hello: PolicyProgramHello) throws(PolicyProgramError) {
    do throws(PolicyProgramError.Reason) {
      guard process == nil, self.hello == nil else { throw .notRunning }
      let running = try ProgramSpawn.spawn(words, path: try path(), folder: folder)
      let process = ProgramProcess(running, limits: limits, isStopped: isStopped)
      self.process = process
      self.hello = hello
      try process.converse(hello.line, seconds: limits.startSeconds, .starting) {
        line throws(PolicyProgramError.Reason) in
        try Self.greet(line)
        return true
      }
    } catch {
      throw failure(error)
    }
  }

  /// Sends a batch, and reads the program's answer.
  package func exchange(_ batch: PolicyProgramBatch) throws(PolicyProgramError) -> PolicyProgramAnswer {
    do throws(PolicyProgramError.Reason) {
      guard let process, let hello else { throw .notRunning }
      batches += 1
      let moment = PolicyProgramError.Moment.batch(batches)
      if let line = try process.unaskedLine(moment) { throw ProgramProcess.unasked(line, moment) }
      var reader = ProgramAnswerReader(model: hello.model, number: batches, keys: Set(batch.source.map(\.key)))
      try process.converse(batch.line(number: batches), seconds: limits.batchSeconds, moment) {
        line throws(PolicyProgramError.Reason) in
        do throws(ProgramAnswerReader.Fault) {
          return try reader.take(line)
        } catch {
          throw Self.reason(error, line, moment)
        }
      }
      return reader.answer
    } catch {
      throw failure(error)
    }
  }

  /// Sends the end of the batches, and waits for the program's end.
  package func finish() throws(PolicyProgramError) {
    do throws(PolicyProgramError.Reason) {
      guard let process else { throw .notRunning }
      let line = ProgramLine()
      line.object { $0.key("end").boolean(true) }
      try process.finish(line.finished, seconds: limits.endSeconds)
      process.end()
      self.process = nil
    } catch {
      throw failure(error)
    }
  }

  var lastWords: String { process?.lastWords ?? "" }

  /// The path of the program's file.
  package func path() throws(PolicyProgramError.Reason) -> String {
    guard let first = words.first, !first.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else {
      throw .badWords
    }
    guard ProgramPath.isFolder(folder) else { throw .noFolder(folder) }
    return try ProgramPath.resolve(first, in: folder)
  }

  private func failure(_ reason: PolicyProgramError.Reason) -> PolicyProgramError {
    process?.end()
    let error = PolicyProgramError(words: words, reason: reason, lastWords: lastWords)
    process = nil
    return error
  }

  private static func greet(_ line: ProgramLines.Line) throws(PolicyProgramError.Reason) {
    let found: ProgramJSON
    do throws(ProgramAnswerReader.Fault) {
      guard case .object(let hello)? = try ProgramAnswerReader.members(line.bytes)["hello"] else {
        throw .malformed("its first line has to be {\"hello\": {\"protocol\": \(protocolNumber)}}")
      }
      found = hello["protocol"] ?? .null
    } catch {
      throw reason(error, line, .starting)
    }
    guard found == .number("\(protocolNumber)") else {
      if case .number(let number) = found { throw .otherProtocol(number) }
      throw .otherProtocol("(\(found.kind))")
    }
  }

  private static func reason(
    _ fault: ProgramAnswerReader.Fault, _ line: ProgramLines.Line, _ moment: PolicyProgramError.Moment
  ) -> PolicyProgramError.Reason {
    switch fault {
    case .notJSON(let problem): .badLine(.init(line, problem.words, at: problem.place), moment)
    case .malformed(let problem, let keys):
      .badLine(.init(line, problem, at: place(of: keys, in: line.bytes)), moment)
    case .refused(let message): .refused(String(message.prefix(1000)), moment)
    }
  }

  private static func place(of keys: [String], in line: [UInt8]) -> Int {
    var reader = ProgramJSONReader(bytes: line)
    return (try? reader.place(of: keys[...]))?.lowerBound ?? 0
  }
}
