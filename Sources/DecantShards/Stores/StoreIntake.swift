internal import DecantReport
internal import DecantWorker
internal import FileNames
internal import Foundation

/// Brings a store into the scratch folder, unless it is settled already.
struct StoreIntake: Sendable {
  enum End: Sendable {
    /// A worker can begin.
    case ready(StoreJob)
    /// The ledger has the store with the same source and settings.
    case settled(StoreJob, LedgerFile.Settled, bytes: Int)
    /// The output has the result: another run delivered it, but the ledger has no line for it.
    case delivered(StoreJob, LedgerLine)
    /// - Parameter concernsAllStores: Whether the scratch folder is full, or can't be written.
    case failed(StoreJob, MigrationFailure, concernsAllStores: Bool)
    case stopped
  }

  let settings: String
  let output: String
  let goesOn: @Sendable () -> Bool

  /// The state of the source from which the copy in the scratch folder was made, and the settings.
  private struct Note: Codable {
    var state: String
    var digests: SourceFiles.Digests
    var settings: String
  }

  /// - Parameter settled: What the ledger says about the store; `nil` if it has no line of the store.
  func run(_ job: StoreJob, settled: LedgerFile.Settled?) -> End {
    var job = job
    job.begin()
    let files = SourceFiles(path: job.path)
    do {
      job.device = files.device
      let receipt = StoreDelivery.receipt(of: job, in: output)
      job.held = receipt?.mark
      let state: String
      do throws(MigrationFailure) {
        state = try files.state()
      } catch {
        guard error.reason == .noSuchFile, let end = try prunedEnd(job, receipt?.line, settled) else {
          throw error
        }
        return end
      }
      job.state = state
      if let end = try settledEnd(job, files, receipt?.line, settled) { return end }
      job.access = files.access()
      guard !StoreNames.reserved.contains(files.name) else {
        throw MigrationFailure(
          .reservedName, message: "\(job.path) has a name that the folder of a result uses itself.",
          advice: "Give the store another name.")
      }
      let digests = try copied(job, files, state)
      job.digests = digests
      // A copied store may have changed while it was read.
      guard try files.state() == state else {
        job.clear()
        throw Self.changed(job)
      }
      // A killed run may have left an output that isn't durable.
      try? FileManager.default.removeItem(atPath: job.outputFolder)
      for folder in [job.outputFolder, job.workFolder] { try FileTree.make(Array(folder.utf8)) }
      job.end()
      return .ready(job)
    } catch let failure as MigrationFailure {
      return .failed(job, failure, concernsAllStores: false)
    } catch let trouble as FileTrouble {
      if trouble.code == EINTR, !goesOn() { return .stopped }
      guard trouble.isIn(job.scratch) else {
        // The file existed when the copying began. So a program has changed the store: it may have removed a -wal.
        guard trouble.code != ENOENT else {
          job.clear()
          return .failed(job, Self.changed(job), concernsAllStores: false)
        }
        return .failed(job, trouble.failureOfStore, concernsAllStores: false)
      }
      return .failed(job, trouble.failureOfPlace, concernsAllStores: trouble.concernsAllStores)
    } catch {
      return .failed(job, MigrationFailure(.fault, message: "\(error)"), concernsAllStores: false)
    }
  }

  private static func changed(_ job: StoreJob) -> MigrationFailure {
    MigrationFailure(
      .sourceChanged, message: "\(job.path) was written while it was copied.",
      advice: "Run the shard again when no program writes to the store.")
  }

  /// What becomes of a store that an earlier run has settled; `nil` if the store has to be migrated.
  ///
  /// A result is used only while the output has it.
  private func settledEnd(
    _ job: StoreJob, _ files: SourceFiles, _ result: LedgerLine?, _ settled: LedgerFile.Settled?
  ) throws(FileTrouble) -> End? {
    let refusal = settled.flatMap { $0.result == .refused && $0.mark != nil ? $0 : nil }
    guard result != nil || refusal != nil else { return nil }
    let digests = try files.pass(goesOn: goesOn)
    let mark = line(job, digests).mark
    if let result, result.mark == mark { return try doneEnd(job, result, settled) }
    // What the line says about an earlier result must still be true, because that result may have been removed.
    guard let refusal, refusal.mark == mark, refusal.isStale == (job.held != nil) else { return nil }
    return .settled(job, refusal, bytes: digests.bytes)
  }

  /// What becomes of a store that is missing, but was migrated with the same settings; `nil` for any other store.
  ///
  /// Sources may be removed after their results are in the output.
  private func prunedEnd(
    _ job: StoreJob, _ result: LedgerLine?, _ settled: LedgerFile.Settled?
  ) throws(FileTrouble) -> End? {
    guard let result, result.settings == settings else { return nil }
    return try doneEnd(job, result, settled)
  }

  private func doneEnd(
    _ job: StoreJob, _ result: LedgerLine, _ settled: LedgerFile.Settled?
  ) throws(FileTrouble) -> End {
    guard let settled, settled.mark == result.mark, settled.result == result.result else {
      // The run that delivered the result may have been killed before the result's name was durable.
      try StoreDelivery.syncName(Array("\(output)/\(job.key.folder)".utf8))
      var line = result
      line.found = true
      return .delivered(job, line)
    }
    return .settled(job, settled, bytes: result.size ?? 0)
  }

  private func line(_ job: StoreJob, _ digests: SourceFiles.Digests) -> LedgerLine {
    var line = LedgerLine(path: job.path, settings: settings, result: .later, seconds: 0, ended: "")
    line.size = digests.bytes
    line.sha256 = digests.sha256
    line.companions = digests.companions
    return line
  }

  /// Copies the files, or uses the copy of a run that was stopped.
  private func copied(
    _ job: StoreJob, _ files: SourceFiles, _ state: String
  ) throws(FileTrouble) -> SourceFiles.Digests {
    if let digests = try earlierCopy(job, state) { return digests }
    job.clear()
    for folder in [job.scratch, job.sourceFolder] { try FileTree.make(Array(folder.utf8)) }
    let digests = try files.pass(copyingTo: (Array(job.sourceFolder.utf8), job.name), goesOn: goesOn)
    // Without this file, a later run copies the store again.
    if let data = try? JSONLine.encode(Note(state: state, digests: digests, settings: settings)) {
      try? data.write(to: URL(fileURLWithPath: job.note))
    }
    return digests
  }

  /// The digests of an earlier run's copy; `nil` if there is no such copy of this source for these settings.
  ///
  /// The copy isn't durable: after a loss of power its files may exist without their content. So the copy is read
  /// again.
  private func earlierCopy(_ job: StoreJob, _ state: String) throws(FileTrouble) -> SourceFiles.Digests? {
    guard let data = FileManager.default.contents(atPath: job.note),
      let note = try? JSONDecoder().decode(Note.self, from: data), note.state == state,
      note.settings == settings
    else { return nil }
    do throws(FileTrouble) {
      let digests = try SourceFiles(path: FileName(job.source)).pass(goesOn: goesOn)
      return digests == note.digests ? digests : nil
    } catch {
      // For example, a file of the copy is missing: a run that delivered the store unchanged had moved the copy away.
      guard goesOn() else { throw error }
      return nil
    }
  }
}
