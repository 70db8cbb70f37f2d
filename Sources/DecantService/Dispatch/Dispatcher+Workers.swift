internal import DecantCatalogue
internal import DecantMigration
internal import DecantReport
internal import DecantWorker
internal import Foundation

/// Handles jobs of families with their own workers.
extension Dispatcher {
  /// The number of hand-overs after which a job waits.
  ///
  /// More hand-overs mean that the catalogue keeps changing or that a worker is faulty.
  private static let handOverLimit = 3

  /// Gives a job to the worker that its family names.
  ///
  /// The worker that had the job has found the store's family, which needs another worker.
  func handOver(_ record: JobRecord, _ failure: MigrationFailure, at now: Double) {
    let path: String?
    do throws(FamilyError) {
      path = try FamilyWorker.path(
        of: failure.family ?? "", in: URL(fileURLWithPath: configuration.catalogue, isDirectory: true))
    } catch {
      let broken = MigrationFailure(
        .brokenFamily, message: error.description,
        family: failure.family)
      return conclude(record, broken, nil, at: now)
    }
    var note = notes[record.id] ?? JobNotes()
    note.handOvers += 1
    guard path != note.worker, note.handOvers <= Self.handOverLimit else {
      takeBack(record)
      return putOff(record, failure, at: now)
    }
    notes[record.id] = note
    if let path, let problem = WorkerFile.problem(with: path) {
      return putOff(record, unusable(problem, failure.family), at: now)
    }
    notes[record.id]?.worker = path
    events.write(record, "handed-over", [("worker", path ?? "decant")])
    events.say(
      .info, "Job \(record.id) (“\(record.title)”) is passed to the worker “\(path ?? "decant")”.",
      event: "handed-over", about: record)
  }

  /// Puts off the jobs of a worker that can't be started; all other jobs continue.
  func putOff(jobsOf executable: String, _ words: String, at now: Double) {
    for record in queue.ready(at: clock.wall()) where notes[record.id]?.worker == executable {
      takeBack(record)
      putOff(record, unusable("The worker “\(executable)” can't be started. \(words)", record.family), at: now)
    }
  }

  private func takeBack(_ record: JobRecord) {
    notes[record.id]?.worker = nil
    notes[record.id]?.handOvers = 0
  }

  private func unusable(_ message: String, _ family: String?) -> MigrationFailure {
    let place = FamilyWorker.place(
      of: family ?? "", in: URL(fileURLWithPath: configuration.catalogue, isDirectory: true))
    return MigrationFailure(
      .workerUnusable, .retry, message: message,
      advice: "Decant tries again. The worker is named in \(place ?? "family.json5 (worker: …)").",
      family: family)
  }
}
