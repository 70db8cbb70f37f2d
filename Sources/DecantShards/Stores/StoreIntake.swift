internal import DecantReport
internal import DecantWorker
internal import FileNames
internal import Foundation

/// Brings a store into the scratch folder, unless it is settled already.
struct StoreIntake: Sendable {
  enum End: Sendable {
    /// A worker can begin.
    case ready(StoreJob)
    /// The ledger has it, with the same source and settings.
    case settled(LedgerLine.Result, bytes: Int)
    /// The output has it: another run delivered it, but its line is missing.
    case delivered(LedgerLine)
    case failed(StoreJob, MigrationFailure, isFull: Bool)
    case stopped
  }

  let settings: String
  let output: String
  let goesOn: @Sendable () -> Bool

  /// What the copy in the scratch folder is of.
  private struct Note: Codable {
    var state: String
    var digests: SourceFiles.Digests
    var settings: String
  }

  /// - Parameter settled: What the ledger has.
  func run(_ job: StoreJob, settled: LedgerFile.Settled?) -> End {
    var job = job
    job.begin()
    let files = SourceFiles(path: job.path)
    do {
      let state = try files.state()
      if let settled, settled.result != .later, let mark = settled.mark {
        let digests = try files.pass(goesOn: goesOn)
        if line(job, digests).mark == mark { return .settled(settled.result, bytes: digests.bytes) }
      }
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
        throw MigrationFailure(
          .sourceChanged, message: "\(job.path) was written while it was copied.",
          advice: "Run the shard again when no program writes to the store.")
      }
      if let line = StoreDelivery.receipt(of: job.key, in: output), line.mark == self.line(job, digests).mark {
        job.clear()
        return .delivered(line)
      }
      for folder in [job.outputFolder, job.workFolder] { try FileTree.make(Array(folder.utf8)) }
      job.end()
      return .ready(job)
    } catch let failure as MigrationFailure {
      return .failed(job, failure, isFull: false)
    } catch let trouble as FileTrouble {
      if trouble.code == EINTR, !goesOn() { return .stopped }
      return .failed(job, trouble.failure, isFull: trouble.isFull)
    } catch {
      return .failed(job, MigrationFailure(.fault, message: "\(error)"), isFull: false)
    }
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
  ) throws -> SourceFiles.Digests {
    if let data = FileManager.default.contents(atPath: job.note),
      let note = try? JSONDecoder().decode(Note.self, from: data), note.state == state,
      note.settings == settings,
      // A run that ended while it delivered a store of the target version had moved the copy away.
      access(job.source, F_OK) == 0
    {
      return note.digests
    }
    job.clear()
    for folder in [job.scratch, job.sourceFolder] { try FileTree.make(Array(folder.utf8)) }
    let digests = try files.pass(copyingTo: (Array(job.sourceFolder.utf8), job.name), goesOn: goesOn)
    // Without the note, a later run copies again.
    if let data = try? JSONLine.encode(Note(state: state, digests: digests, settings: settings)) {
      try? data.write(to: URL(fileURLWithPath: job.note))
    }
    return digests
  }
}
