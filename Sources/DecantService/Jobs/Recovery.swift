internal import DecantMigration
internal import DecantReport
package import DecantSpool
internal import FileNames

/// Finds the jobs in `work/` that the queue lacks, after a start or after a claim that failed halfway.
package struct Recovery: Sendable {
  let spool: Spool

  package init(spool: Spool) { self.spool = spool }

  package struct Findings: Sendable {
    package var records: [JobRecord] = []
    /// Entries of `work/` that aren't jobs; they stay untouched.
    package var strangers: [String] = []
    /// Jobs whose records a newer daemon wrote, and the format number of the record; they stay untouched.
    package var newer: [String: Int] = [:]
    /// The failures of folders that couldn't be read or resumed; the next scan tries again.
    package var failures: [FileFailure] = []
    /// The number of interrupted claims among `failures` that keep new claims back.
    ///
    /// New claims could fail in the same way, and leave more such folders.
    package var halfClaims = 0
  }

  /// Looks through `work/`.
  ///
  /// - Parameter known: Whether to skip a job.
  package func run(known: (String) -> Bool, at now: Double) throws(FileFailure) -> Findings {
    var findings = Findings()
    let found = try spool.work.names().filter { !known($0.text) }
    // Recovery relies on the records, so they must be on the disk and not only in memory.
    let isDurable = found.contains { Self.arrival(of: $0.text) != nil } && spool.work.rounds?.all() == true
    for name in found {
      let id = name.text
      var isHalfClaim = false
      do throws(FileFailure) {
        if id.hasPrefix(JobFolder.gonePrefix) {
          // While the queue knows the job, a disk queue may be removing this folder.
          if !known(String(id.dropFirst(JobFolder.gonePrefix.count))) { try spool.work.removeTree(id) }
        } else if id.hasPrefix(".") {
          continue
        } else if try spool.work.status(id)?.kind == .folder, Self.arrival(of: id) != nil {
          switch try adopt(id, isDurable: isDurable, at: now, &isHalfClaim) {
          case .job(let record): findings.records.append(record)
          case .newer(let format): findings.newer[id] = format
          case .removed: continue
          }
        } else {
          findings.strangers.append(id)
        }
      } catch {
        // A disk queue may have removed this folder at the same time.
        if error.isMissing, id.hasPrefix(JobFolder.gonePrefix) { continue }
        findings.failures.append(error)
        // If `incoming/` has another entry with the drop's name now, only this drop is concerned.
        if isHalfClaim, !error.isTaken { findings.halfClaims += 1 }
      }
    }
    findings.records.sort { $0.arrival < $1.arrival }
    return findings
  }

  /// Removes the folders in `done/` and `failed/` whose removal was interrupted.
  ///
  /// - Returns: The first failure. Jobs don't depend on these folders.
  func removeRests() -> FileFailure? {
    var first: FileFailure?
    for place in [spool.done, spool.failed] {
      do throws(FileFailure) {
        for name in try place.names() where name.hasPrefix(JobFolder.gonePrefix) && name.isText {
          try place.removeTree(name.text)
        }
      } catch {
        // A command may still run, and have removed the folder itself.
        if !error.isMissing { first = first ?? error }
      }
    }
    return first
  }

  /// The arrival number within a job's name; `nil` for a name that is not a job's.
  package static func arrival(of id: String) -> Int? {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 15, parts[0].contains("T"), parts[1].utf8.count >= 6 else {
      return nil
    }
    return Int(parts[1])
  }

  private enum Adoption {
    case job(JobRecord)
    /// A newer daemon wrote the record, so the folder stays untouched.
    case newer(format: Int)
    /// The folder had no files of a drop, or all of them went back to `incoming/`.
    case removed

    init(_ record: JobRecord?) { self = record.map(Adoption.job) ?? .removed }
  }

  private func adopt(
    _ id: String, isDurable: Bool, at now: Double, _ isHalfClaim: inout Bool
  ) throws(FileFailure) -> Adoption {
    let folder = try JobFolder(id, in: spool)
    switch try folder.storedRecord() {
    case .newer(let format): return .newer(format: format)
    case .none: return Adoption(try rebuild(id, folder, at: now))
    case .record(var record):
      record.id = id
      return Adoption(try resume(record, in: folder, isDurable: isDurable, &isHalfClaim))
    }
  }

  private func resume(
    _ record: JobRecord, in folder: JobFolder, isDurable: Bool, _ isHalfClaim: inout Bool
  ) throws(FileFailure) -> JobRecord? {
    var record = record
    isHalfClaim = record.state == .claiming
    if !isDurable { try folder.handle.sync() }
    switch record.state {
    case .claiming: return try Claim(spool: spool).resume(record, in: folder, isDurable: isDurable)
    case .queued: return record
    case .delivering, .refusing:
      guard try Self.isLost(record, folder) else { return record }
      record.state = .queued
      record.delivery = nil
      record.hasDurableOutput = nil
      try folder.save(record)
      return record
    case .waiting:
      // The catalogue may have been corrected before this start: try again.
      if record.hold?.cause == .catalogue { record.state = .queued }
      return record
    }
  }

  /// Whether the decided result is lost, as far as `source` shows it.
  ///
  /// A delivery that has left has taken the store along, as the result or as the original. With `outputAlone`, the
  /// store stays in `source` in any case.
  private static func isLost(_ record: JobRecord, _ folder: JobFolder) throws(FileFailure) -> Bool {
    guard record.delivery != .outputAlone, let store = record.store,
      try !folder.handle.exists(JobFolder.delivery),
      try folder.handle.exists(JobFolder.source)
    else { return false }
    return try folder.handle.folder(JobFolder.source).exists(store.text)
  }

  /// Rebuilds a lost record from the source alone.
  ///
  /// - Returns: `nil` if there is no source; the folder is then removed.
  private func rebuild(_ id: String, _ folder: JobFolder, at now: Double) throws(FileFailure) -> JobRecord? {
    guard try folder.handle.exists(JobFolder.source) else {
      try JobFolder.remove(id, from: spool)
      return nil
    }
    var drop = Drop(name: FileName(id), form: .folder, members: [])
    try FolderContent(of: try folder.handle.folder(JobFolder.source)).describe(&drop)
    var record = JobRecord(
      id: id, arrival: Self.arrival(of: id) ?? 0, state: .queued, drop: drop.store ?? FileName(id),
      form: .folder,
      members: [], store: drop.store, claimedAt: now)
    let measure = try folder.handle.measure(JobFolder.source)
    record.bytes = measure.bytes
    record.fingerprint = measure.fingerprint.text
    if drop.defect != nil {
      try Departure(spool: spool, folder: folder).refuse(
        &record,
        MigrationFailure(
          .lostRecord,
          message: "The record of job \(id) is lost, and its files don't show which of them is the store.",
          advice: "Drop the store again from “original”."), at: now)
    } else {
      try folder.save(record)
    }
    return record
  }
}
