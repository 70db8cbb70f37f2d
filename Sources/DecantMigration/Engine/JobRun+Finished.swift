internal import DecantModel
internal import Foundation

/// The steps that an earlier run of the job has finished.
extension JobRun {
  /// What a finished step's file was made from, and what came of it.
  struct Notes: Codable {
    var digest: String
    var outcome: Outcome
  }

  /// The name of the job's associations in its work folder.
  static let associations = "associations.sqlite"

  /// The name of a step's notes in the work folder.
  static func notesName(_ index: Int) -> String { "step-\(index + 1).json" }

  /// Whether a file of the work folder is notes on a step.
  static func isNotes(_ name: String) -> Bool {
    name.hasPrefix("step-") && name.hasSuffix(".json") && Int(name.dropFirst(5).dropLast(5)) != nil
  }

  /// The steps that an earlier run has finished, one whose result was put into place already among them.
  func taken(_ digests: StepDigests) throws -> [Outcome] {
    // Before the result is taken back: digests read files, and may fail.
    for index in prepared.steps.indices { _ = try digests.of(index) }
    let earlier = EarlierResult(of: job)
    try earlier?.takeBack()
    ResultNote.forget(in: job.workFolder)
    let outcomes = try finished(digests)
    if let earlier, earlier.steps != prepared.steps.count || outcomes.count < earlier.steps { earlier.forget() }
    return outcomes
  }

  /// The steps that an earlier run has finished, as far as their last file is there and was made from the same.
  private func finished(_ digests: StepDigests) throws -> [Outcome] {
    var outcomes: [Outcome] = []
    var usable: [Outcome] = []
    for index in prepared.steps.indices {
      guard let outcome = try notes(index, digests) else { break }
      outcomes.append(outcome)
      if FileManager.default.fileExists(atPath: path("step-\(index + 1).sqlite")) { usable = outcomes }
    }
    return usable
  }

  /// What an earlier run noted of a step that it made from the same.
  func notes(_ index: Int, _ digests: StepDigests) throws -> Outcome? {
    guard let data = try? DiskRead.contents(of: path(Self.notesName(index)), limit: ResultNote.largest),
      var notes = try? JSONDecoder().decode(Notes.self, from: data), notes.digest == (try digests.of(index)),
      try keeping(index, digests)?.isDone ?? true,
      notes.outcome.report.quarantine == nil
        || QuarantineFiles(workFolder: job.workFolder, step: index + 1).isThere
    else { return nil }
    notes.outcome.report.resumedChunks += notes.outcome.report.chunks
    notes.outcome.report.chunks = 0
    return notes.outcome
  }
}
