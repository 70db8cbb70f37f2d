internal import DecantEngine
internal import DecantModel
internal import Foundation

/// The steps that an earlier run of the job has finished.
extension JobRun {
  /// The digest of a finished step's inputs, and the step's outcome.
  struct Notes: Codable {
    var digest: String
    var outcome: Outcome
  }

  /// The name of the job's association file in its work folder.
  static let associations = "associations.sqlite"

  static func notesName(_ index: Int) -> String { "step-\(index + 1).json" }

  static func isNotes(_ name: String) -> Bool {
    name.hasPrefix("step-") && name.hasSuffix(".json") && Int(name.dropFirst(5).dropLast(5)) != nil
  }

  /// The outcomes of the steps that an earlier run finished.
  ///
  /// The last step's store may be at the output already; it is moved back to the work folder.
  func taken(_ digests: StepDigests) throws -> [Outcome] {
    let earlier = EarlierResult(of: job)
    guard
      earlier != nil || prepared.steps.indices.contains(where: { access(path(Self.notesName($0)), F_OK) == 0 })
    else {
      ResultNote.forget(in: job.workFolder)
      return []
    }
    // The digests are computed before the result is taken back, because the computation reads files and may fail.
    for index in prepared.steps.indices { _ = try digests.of(index) }
    try earlier?.takeBack()
    ResultNote.forget(in: job.workFolder)
    let outcomes = try finished(digests)
    if let earlier, earlier.steps != prepared.steps.count || outcomes.count < earlier.steps { earlier.forget() }
    return outcomes
  }

  /// The outcomes of the steps that an earlier run finished, up to the last step whose file exists.
  ///
  /// Each step must have the same digest as before.
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

  /// The outcome in an earlier run's `Notes` of a step; `nil` if the step has to run again.
  func notes(_ index: Int, _ digests: StepDigests) throws -> Outcome? {
    guard let data = try? DiskRead.contents(of: path(Self.notesName(index)), limit: ResultNote.largest),
      var notes = try? JSONDecoder().decode(Notes.self, from: data), notes.digest == (try digests.of(index)),
      try keeping(index, digests)?.isDone() ?? true,
      notes.outcome.report.quarantine == nil
        || QuarantineFiles(workFolder: job.workFolder, step: index + 1).isThere
    else { return nil }
    notes.outcome.report.resumedChunks += notes.outcome.report.chunks
    notes.outcome.report.chunks = 0
    return notes.outcome
  }
}
