internal import DecantMigration
package import DecantReport
internal import Glibc

/// The end of a worker before its job was finished, or before its greeting.
package struct WorkerDeath: Error, Sendable, Hashable {
  package enum Cause: Sendable, Hashable {
    /// The worker exited or was ended by a signal.
    case end(WorkerProcess.End)
    /// The supervisor ended the worker after that many seconds without output.
    case hung(seconds: Double)
    /// The supervisor ended the worker, because it didn't stop within that many seconds.
    case notStopped(seconds: Double)
    /// The supervisor ended the worker, because the worker's output can't be trusted any more.
    case misbehaviour(String)
  }

  /// The worker's name in messages: “The worker “/path””, “The worker (process 12)”.
  package var worker: String
  /// The path of the worker's executable; `nil` for Decant's own.
  package var executable: String?
  package var cause: Cause
  /// The place of the worker's work; `nil` if no place is known.
  package var place: WorkPlace?
  /// The last lines on the worker's standard error.
  package var lastWords: [String]
  /// The store's family, if the worker had reported it.
  package var family: String?

  package init(
    worker: String, executable: String?, cause: Cause, place: WorkPlace?, lastWords: [String], family: String?
  ) {
    self.worker = worker
    self.executable = executable
    self.cause = cause
    self.place = place
    self.lastWords = lastWords
    self.family = family
  }

  /// The failure of the job.
  ///
  /// - Parameter occasion: Text before `message`.
  package func failure(
    _ disposition: FailureDisposition, occasion: String = "", advice: String
  ) -> MigrationFailure {
    let isHang = if case .hung = cause { true } else { false }
    return MigrationFailure(
      isHang ? .workerHung : .workerDied, disposition,
      // Core Data's code for a failed migration. Without a place, perhaps no work had begun, so there is no code.
      coreDataCode: place == nil ? nil : 134_110, message: occasion + message,
      details: details, advice: advice, family: family)
  }

  /// One sentence.
  package var message: String {
    let place = place.map { " at \($0.words)" } ?? ""
    return switch cause {
    case .end(let end): "\(worker) ended \(end.words)\(place)."
    case .hung(let seconds): "\(worker) made no progress for \(Int(seconds)) s\(place), and was ended."
    case .notStopped(let seconds): "\(worker) didn't stop within \(Int(seconds)) s\(place), and was ended."
    case .misbehaviour(let words): "\(worker) was ended\(place): \(words)."
    }
  }

  /// The lines below the sentence.
  package var details: [String] {
    lastWords.enumerated().map { $0.offset == 0 ? "Its last output: \($0.element)" : $0.element }
  }

  /// The message and the details in one line.
  package var words: String {
    message + (details.isEmpty ? "" : " \(details.joined(separator: " | "))")
  }

  /// What to check and change.
  ///
  /// - Parameters:
  ///   - chunkSetting: The name of the setting that limits the rows of a chunk, such as “chunkSize in family.json5”.
  ///   - hangSetting: The name of the setting that limits silence, such as “--hang-seconds”.
  ///   - memory: What to do if the machine had too little memory.
  package func advice(chunkSetting: String, hangSetting: String, memory: String) -> String {
    let worker = executable.map { " of the worker “\($0)”" } ?? ""
    let slow =
      (place?.policy.map { "If the policy \($0)\(worker) never ends, correct it. If it" } ?? "If the work")
      + " is only slow, give it fewer rows at a time (\(chunkSetting))"
    if case .hung = cause { return "\(slow) or more time (\(hangSetting))." }
    if case .notStopped = cause { return slow + "." }
    if case .end(.signal(SIGXCPU)) = cause {
      return
        "The worker has used all the processor time of a job (workerCpuSeconds in decantd.json5). If its work can end, "
        + "give it more time."
    }
    if case .end(.signal(SIGKILL)) = cause {
      return "The system may have ended the worker for lack of memory. \(memory)"
    }
    if let policy = place?.policy { return "Check and correct the policy \(policy)\(worker)." }
    if let executable { return "Check what the worker “\(executable)” did when it ended." }
    return "Please report this failure, with the store if you can."
  }
}
