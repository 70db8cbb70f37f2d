internal import DecantMigration
package import DecantReport
package import DecantSpool
internal import FileNames
internal import Foundation
internal import Glibc

/// Takes a drop out of `incoming/`; the rename is the claim.
package struct Claim: Sendable {
  package enum Outcome: Sendable {
    /// The drop is a job now; with a refusal, the job goes to `failed/`.
    case claimed(JobRecord, refusal: MigrationFailure?)
    /// Nothing was taken. The drop stays in its place.
    case blocked(Obstacle)
    /// The drop vanished or changed. The next scan examines it again.
    case vanished
  }

  let spool: Spool

  package init(spool: Spool) { self.spool = spool }

  /// Claims a drop as a job.
  ///
  /// - Throws: `FileFailure` if the spool itself fails (no space, not writable).
  package func take(_ drop: Drop, arrival: Int, at now: Double) throws(FileFailure) -> Outcome {
    let id = ArrivalCounter.jobID(arrival: arrival, at: now)
    let record = JobRecord(
      id: id, arrival: arrival, state: .claiming, drop: drop.name, form: drop.form, members: drop.members,
      store: drop.store, claimedAt: now)
    guard try spool.work.make(id) else { throw FileFailure("make the folder", spool.work.path(of: id), EEXIST) }
    let folder = try JobFolder(id, in: spool)
    do throws(FileFailure) {
      try folder.begin(record, in: spool)
      try move(drop, to: folder)
      // Make the new names durable before the removal of the old names from `incoming/`.
      try folder.handle.settle(places(of: record, folder))
    } catch {
      try giveBack(folder, record)
      switch error.code {
      case ENOENT, EEXIST: return .vanished
      case EACCES, EPERM, EBUSY, EXDEV:
        return .blocked(
          .denied(
            drop: drop.name, message: error.description,
            command: try AccessRemedy(user: geteuid(), in: spool.incoming)
              .command(forAllOf: spool.incoming.path(of: drop.name))))
      default: throw error
      }
    }
    guard let (claimed, refusal) = try finish(record, in: folder) else { return .vanished }
    return .claimed(claimed, refusal: refusal)
  }

  /// Resumes an interrupted claim.
  ///
  /// - Parameter isDurable: Whether the names in the job's folder are durable already.
  /// - Returns: The job's record; `nil` if everything is back in `incoming/`.
  package func resume(_ record: JobRecord, in folder: JobFolder, isDurable: Bool) throws(FileFailure)
    -> JobRecord?
  {
    let isComplete: Bool
    switch record.form {
    case .folder: isComplete = try folder.handle.exists(JobFolder.source)
    case .loose:
      // The store is renamed last. If it is in `source/`, the other files are there, too.
      if try folder.handle.exists(JobFolder.source), let store = record.store {
        isComplete = try folder.handle.folder(JobFolder.source).exists(store.text)
      } else {
        isComplete = false
      }
    }
    if isComplete {
      // The interrupted claim may have stopped before this step.
      if !isDurable { try folder.handle.settle(places(of: record, folder)) }
      return try finish(record, in: folder)?.record
    }
    try giveBack(folder, record)
    return nil
  }

  private func move(_ drop: Drop, to folder: JobFolder) throws(FileFailure) {
    switch drop.form {
    case .folder:
      try spool.incoming.rename(drop.name.text, to: folder.handle, as: JobFolder.source)
    case .loose:
      try folder.handle.make(JobFolder.source)
      let source = try folder.handle.folder(JobFolder.source)
      for member in drop.members {
        try spool.incoming.rename(member.text, to: source, as: member.text)
      }
    }
  }

  /// The folders in which a claim has changed names.
  ///
  /// The folder with the files of a loose drop comes first.
  private func places(of record: JobRecord, _ folder: JobFolder) throws(FileFailure) -> [SyncItem] {
    let source: [SyncItem] = record.form == .loose ? [.folder(try folder.handle.folder(JobFolder.source))] : []
    return source + [.folder(folder.handle), .folder(spool.incoming)]
  }

  /// Moves the taken files back in reverse order, and removes the job's folder.
  private func giveBack(_ folder: JobFolder, _ record: JobRecord) throws(FileFailure) {
    if record.form == .folder {
      if try folder.handle.exists(JobFolder.source) {
        try folder.handle.rename(JobFolder.source, to: spool.incoming, as: record.drop.text)
      }
    } else if try folder.handle.exists(JobFolder.source) {
      let source = try folder.handle.folder(JobFolder.source)
      for member in record.members.reversed() where try source.exists(member.text) {
        try source.rename(member.text, to: spool.incoming, as: member.text)
      }
    }
    try spool.incoming.sync()
    try JobFolder.remove(record.id, from: spool)
  }

  /// Checks the taken files, reads the request, and queues or refuses the job.
  ///
  /// A queued job needs no new record: after a crash, recovery repeats this step from the claim's record.
  ///
  /// - Returns: `nil` if everything is back in `incoming/`, because the drop has irregular files now.
  private func finish(_ record: JobRecord, in folder: JobFolder) throws(FileFailure)
    -> (record: JobRecord, refusal: MigrationFailure?)?
  {
    var record = record
    // Recovery may repeat this step after a worker has linked the files. The worker's names don't make a file
    // irregular.
    let source = try openSource(folder)
    guard let source, try IrregularFiles.first(in: source, links: folder.links()) == nil else {
      try giveBack(folder, record)
      return nil
    }
    let measure = try folder.handle.measure(JobFolder.source)
    record.bytes = measure.bytes
    record.fingerprint = measure.fingerprint.text
    record.state = .queued
    let verdict = try Self.takeRequest(in: source, into: &record)
    if let verdict {
      try Departure(spool: spool, folder: folder).refuse(&record, verdict, at: record.claimedAt)
    }
    return (record, verdict)
  }

  /// The folder with the taken files; `nil` if `source` isn't a folder, because a link may have come in its place.
  private func openSource(_ folder: JobFolder) throws(FileFailure) -> FolderHandle? {
    guard try folder.handle.status(JobFolder.source)?.kind == .folder else { return nil }
    return try folder.handle.folder(JobFolder.source)
  }

  /// Reads the drop's request into the record, and decides which file is the store.
  ///
  /// - Returns: Why the drop is refused; `nil` if it isn't refused.
  private static func takeRequest(in source: FolderHandle, into record: inout JobRecord) throws(FileFailure)
    -> MigrationFailure?
  {
    var drop = Drop(name: record.drop, form: record.form, members: record.members, store: record.store)
    let found: (name: String, data: Data)?
    do throws(FileFailure) {
      if record.form == .folder {
        try FolderContent(of: source).describe(&drop)
      } else if let store = drop.store {
        for name in StoreNames.requests(store) where drop.request == nil {
          if try source.exists(name.text) { drop.request = name }
        }
        if StoreNames.reserved.contains(store) { drop.defect = .reservedName(store) }
      }
      record.store = drop.store
      if let name = drop.request, let data = try source.read(name.text, limit: DropRequest.sizeLimit) {
        found = (name.description, data)
      } else {
        found = nil
      }
    } catch {
      if error.isPassing { throw error }
      return MigrationFailure(
        .badRequest, message: error.description,
        advice: "Drop the store with a request that can be read, or without one.")
    }
    if let defect = drop.defect { return Drop.failure(for: defect, drop: record.drop) }
    guard let found else { return nil }
    do throws(MigrationFailure) {
      let request = try DropRequest(found.data, file: found.name)
      record.family = request.family
      record.target = request.to
      record.priority = request.priority
      return nil
    } catch {
      return error
    }
  }
}
