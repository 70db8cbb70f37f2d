internal import Glibc

/// Why a policy program gave no answer, or no usable answer.
package struct PolicyProgramError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The program's task at the time.
  package enum Moment: Sendable, Hashable {
    case starting
    /// The batch of that number, from 1.
    case batch(Int)
    case ending

    var words: String {
      switch self {
      case .starting: "before its hello"
      case .batch(let number): "during batch \(number)"
      case .ending: "at the end"
      }
    }
  }

  package struct BadLine: Sendable, Hashable {
    /// The number of the line in the whole output, from 1.
    var number: Int
    /// The line, or the part of the line around the fault.
    var quote: String
    var problem: String
    /// Whether the line looks like text for people instead of a line of the protocol.
    var isTalk: Bool

    /// - Parameter place: The faulty byte, from 0.
    init(_ line: ProgramLines.Line, _ problem: String, at place: Int = 0) {
      number = line.number
      quote = ProgramQuote.text(line.bytes, around: place)
      self.problem = problem
      isTalk = line.bytes.first { $0 != 0x20 && $0 != 0x09 } != UInt8(ascii: "{")
    }
  }

  package enum Reason: Error, Sendable, Hashable {
    /// The policy has no words, or a word that can't be an argument.
    case badWords
    case noFolder(String)
    case notFound(searched: String)
    case notExecutable(path: String)
    /// `problem` is about the file's first line.
    case badHead(path: String, problem: String)
    /// The program can't be started; with the errno.
    case notStarted(path: String, code: Int32)
    case otherProtocol(String)
    case timedOut(seconds: Double, Moment)
    case exited(Int32, Moment)
    case killed(signal: Int32, Moment)
    case closedInput(Moment)
    case closedOutput(Moment)
    /// A pipe to or from the program failed; with the errno.
    case pipeFailed(code: Int32, Moment)
    case lineTooLong(limit: Int, Moment)
    case answerTooLong(limit: Int, Moment)
    /// A line that isn't JSON, or doesn't follow the protocol.
    case badLine(BadLine, Moment)
    /// Output that ends in the middle of a line.
    case cutOff(BadLine, Moment)
    /// An error that the program itself reported.
    case refused(String, Moment)
    case runsOn(seconds: Double)
    case stopped
    /// The program is started twice, or used while it doesn't run.
    case notRunning
  }

  /// The program and its arguments.
  var words: [String]
  package var reason: Reason
  /// The end of the program's standard error, in one line.
  package var lastWords = ""

  package var description: String { "The policy program “\(words.joined(separator: " "))” \(deed)" }

  /// The program's fault, for a sentence after the program's name.
  package var deed: String {
    "\(reason)" + (lastWords.isEmpty ? "" : " Its last words on standard error: \(lastWords)")
  }
}

extension PolicyProgramError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badWords: "can't be started: write the program and its arguments as texts without NUL."
    case .noFolder(let path): "can't be started: its folder “\(path)” isn't there."
    case .notFound(let searched):
      "wasn't found: \(searched). Install it, or write its path; a relative path begins at the family's folder, as “./policy”."
    case .notExecutable(let path): "can't be run: “\(path)” isn't executable. Run chmod +x on it."
    case .badHead(let path, let problem): "can't be run: the first line of “\(path)” \(problem)."
    case .notStarted(let path, let code):
      "can't be started: “\(path)”: \(String(cString: strerror(code)))."
        + (code == ENOEXEC ? " A script begins with a line as “#!/usr/bin/env python3”." : "")
    case .otherProtocol(let found):
      "speaks protocol \(found), not \(PolicyProgram.protocolNumber). Change the program as docs/policy-programs.md says."
    case .timedOut(let seconds, let moment):
      "gave no complete answer within \(Self.text(seconds)) s \(moment.words), and was ended. Flush each answer, "
        + "and end it with its “end” line." + Self.remedy(moment)
    case .exited(let code, let moment): "ended with exit code \(code) \(moment.words)."
    case .killed(let signal, let moment):
      "was ended by signal \(signal) (\(String(cString: strsignal(signal)))) \(moment.words)."
    case .closedInput(let moment): "closed its standard input \(moment.words). It has to read on until the end."
    case .closedOutput(let moment):
      "closed its standard output \(moment.words). It has to answer until the end."
    case .pipeFailed(let code, let moment):
      "can't be reached \(moment.words), because a pipe between it and Decant failed: \(String(cString: strerror(code)))."
    case .lineTooLong(let limit, let moment):
      "wrote a line of more than \(limit) bytes \(moment.words). Each object and each link is a line of its own."
    case .answerTooLong(let limit, let moment):
      "wrote more than \(limit) bytes \(moment.words). Take smaller chunks, with “chunks” in the mapping model."
    case .badLine(let line, let moment):
      "wrote an unusable line \(moment.words) (line \(line.number) of its output): \(line.problem). "
        + "The line: “\(line.quote)”."
        + (line.isTalk ? " Write text for people to standard error." : "")
    case .cutOff(let line, let moment):
      "ended its output \(moment.words) within line \(line.number), which has no newline: “\(line.quote)”. "
        + "Each line has to be complete."
    case .refused(let message, let moment): "refused \(moment.words): \(message)"
    case .runsOn(let seconds):
      "still ran \(Self.text(seconds)) s after its input had ended, and was ended. It has to end when its input does."
        + Self.remedy(.ending)
    case .stopped: "was ended, because the migration was stopped."
    case .notRunning: "isn't running."
    }
  }

  private static func remedy(_ moment: PolicyProgramError.Moment) -> String {
    let setting = "write the seconds beside the program, as policy: { program: [ … ], timeLimit: 900 }"
    guard case .batch = moment else { return " If it is only slow, \(setting)." }
    return
      " That limit holds for each batch. If the program is only slow, \(setting); or give it fewer objects at a time, "
      + "with chunks: { size: 100 } in its entity mapping, or chunkSize in family.json5."
  }

  private static func text(_ seconds: Double) -> String {
    Int(exactly: seconds).map(String.init) ?? "\(seconds)"
  }
}
