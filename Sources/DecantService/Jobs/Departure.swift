internal import DecantMigration
package import DecantReport
package import DecantSpool
internal import FileNames
internal import Foundation
internal import Glibc

/// Moves a job out of `work/` with one rename of a durable folder.
///
/// Such a move, a departure, may be interrupted anywhere. Another attempt or the daemon's next start continues it.
package struct Departure: Sendable {
  /// The files that are written beside a result or a refused store.
  static let (report, reason, text, page) = ("report.json", "reason.json", "report.txt", "report.html")
  /// The folder for the dropped files, beside a result or a reason.
  static let original = "original"

  let spool: Spool
  let folder: JobFolder

  package init(spool: Spool, folder: JobFolder) {
    self.spool = spool
    self.folder = folder
  }

  /// Decides that a result is good.
  ///
  /// If this succeeds, `complete` moves the job to `done/`.
  ///
  /// - Throws: `FileFailure`. If fsync failed or the output is missing, the result of a migration has to be made again.
  package func deliver(
    _ record: inout JobRecord, _ report: MigrationReport, originals: ServiceConfiguration.Originals
  ) throws(FileFailure) {
    var decided = record
    decided.state = .delivering
    decided.hold = nil
    switch report.result {
    case .alreadyCurrent:
      decided.delivery = .source
      try renewDelivery()
    case .migrated:
      try takeOutput(record.store ?? record.drop)
      decided.delivery = originals == .keep ? .outputKeepingOriginal : .outputAlone
      decided.hasDurableOutput = true
    }
    let signed = JobPapers.signed(report, decided)
    try decide(
      decided,
      [
        (Self.report, JobPapers.json(signed)), (Self.text, JobPapers.text(signed)),
        (Self.page, JobPapers.page(signed)),
      ])
    record = decided
  }

  /// Decides that a job is refused.
  ///
  /// If this succeeds, `complete` moves the job to `failed/`.
  package func refuse(_ record: inout JobRecord, _ failure: MigrationFailure, at now: Double)
    throws(FileFailure)
  {
    var decided = record
    decided.state = .refusing
    decided.hold = nil
    decided.delivery = nil
    let reason = RefusalReason(decided, failure, at: now)
    try renewDelivery()
    try decide(
      decided,
      [
        (Self.reason, JobPapers.json(reason)), (Self.text, JobPapers.text(reason)),
        (Self.page, JobPapers.page(reason)),
      ])
    record = decided
  }

  /// Takes back a decision that may not be durable, by writing the earlier record.
  ///
  /// Call this before anything is removed that the decision relies on.
  package func revoke(_ record: JobRecord) throws(FileFailure) { try folder.save(record) }

  /// Makes the delivery durable first, and then the record, which relies on it.
  private func decide(_ record: JobRecord, _ papers: [(name: String, data: Data)]) throws(FileFailure) {
    let delivery = try folder.handle.folder(JobFolder.delivery)
    for paper in papers { try delivery.add(paper.data, as: paper.name) }
    let rules = spool.resultRules
    if let access = ResultAccess(of: record, in: folder, rules: rules) {
      let source = try folder.handle.folder(JobFolder.source)
      let original = try OriginalFolder(source, of: record)
      // The dropped files themselves may become the result. If other users may write them, only the owner gets access,
      // unless `resultMode` is set.
      let isResult = record.delivery == .source && rules.mode == nil
      let isShut = if isResult { try original.isOpen } else { false }
      try (isShut ? access.forOwnerAlone : access).apply(to: delivery)
      // The daemon made this folder, which becomes `original/`. The files in it keep their rights.
      if record.form == .loose { access.open(source) }
    }
    // Workers don't sync their output. Here one sync serves several stores.
    try folder.save(record, after: [.tree(JobFolder.delivery, in: folder.handle), .folder(folder.handle)])
  }

  /// Makes a worker's output the delivery.
  ///
  /// A delivery that already has the finished result stays.
  private func takeOutput(_ store: FileName) throws(FileFailure) {
    if try folder.finishedRun(of: store)?.place == JobFolder.delivery {
      // The delivery has the result, so the output isn't needed.
      try folder.handle.removeTree(JobFolder.output)
    } else if try folder.handle.exists(JobFolder.output) {
      try folder.handle.removeTree(JobFolder.delivery)
      try folder.handle.rename(JobFolder.output, to: folder.handle, as: JobFolder.delivery)
    }
    guard try folder.handle.folder(JobFolder.delivery).status(store.text)?.kind == .file else {
      throw FileFailure("find", folder.handle.path(of: "\(JobFolder.delivery)/" + store.text), ENOENT)
    }
  }

  private func renewDelivery() throws(FileFailure) {
    try folder.handle.removeTree(JobFolder.delivery)
    try folder.handle.make(JobFolder.delivery)
  }

  /// The report of a delivery that is decided but has not left; `nil` if there is none to read.
  package func decidedReport(of record: JobRecord) -> MigrationReport? {
    guard record.state == .delivering,
      let data = try? folder.handle.folder(JobFolder.delivery).read(Self.report, limit: Self.largestReport)
    else { return nil }
    return try? JSONDecoder().decode(MigrationReport.self, from: data)
  }

  /// The largest report in bytes; a report's size depends on the model and not on the store.
  static let largestReport = 64 << 20

  /// Moves the files of a decided job to `done/` or `failed/`.
  ///
  /// The job's folder in `work/` is removed later, after the result was announced.
  ///
  /// - Returns: The folder's name in `done/` or `failed/`; `nil` if an earlier run had moved it there.
  @discardableResult
  package func complete(_ record: JobRecord) throws(FileFailure) -> String? {
    let destination = record.state == .delivering ? spool.done : spool.failed
    var arrivedAs: String?
    if try folder.handle.exists(JobFolder.delivery) {
      let delivery = try folder.handle.folder(JobFolder.delivery)
      try fill(delivery, record)
      try folder.handle.settle(toSettle(delivery, record))
      arrivedAs = try hand(over: record, to: destination)
    }
    // Sync the destination first. Otherwise a crash could lose both the old and the new name.
    try folder.handle.settle([.folder(destination), .folder(folder.handle)])
    return arrivedAs
  }

  /// The parts of a filled delivery that aren't durable yet.
  ///
  /// The report files in the delivery's top folder were durable before the decision.
  private func toSettle(_ delivery: FolderHandle, _ record: JobRecord) throws(FileFailure) -> [SyncItem] {
    if record.hasDurableOutput == true {
      // The whole delivery was durable before the decision. Only the original has come since.
      return record.delivery == .outputKeepingOriginal
        ? [.tree(Self.original, in: delivery), .folder(delivery)] : []
    }
    let papers: Set<FileName> = [
      FileName(record.state == .delivering ? Self.report : Self.reason), FileName(Self.text),
      FileName(Self.page),
    ]
    let tree = SyncItem.tree(JobFolder.delivery, in: folder.handle, but: papers)
    guard record.delivery == .source, try folder.handle.exists(JobFolder.source) else { return [tree] }
    // After a crash, files that are still in `source/` count as not delivered. So their removal from it has to be
    // durable.
    return [tree, .folder(try folder.handle.folder(JobFolder.source))]
  }

  private func fill(_ delivery: FolderHandle, _ record: JobRecord) throws(FileFailure) {
    switch record.delivery {
    case .source?: try moveAll(of: JobFolder.source, to: delivery)
    case .outputKeepingOriginal?:
      try moveAll(of: JobFolder.output, to: delivery)
      try moveOriginal(of: record, to: delivery)
    case .outputAlone?: try moveAll(of: JobFolder.output, to: delivery)
    case nil: try moveOriginal(of: record, to: delivery)
    }
  }

  private func moveAll(of name: String, to delivery: FolderHandle) throws(FileFailure) {
    guard try folder.handle.exists(name) else { return }
    let from = try folder.handle.folder(name)
    try IrregularFiles.remove(from: from, links: name == JobFolder.source ? folder.links() : nil)
    let entries = try from.names().sorted()
    for entry in entries {
      // A dropped folder that comes from `done/` has report files with the names of the new ones.
      var name = entry
      if [Self.report, Self.text, Self.page].map({ FileName($0) }).contains(entry) {
        var isTaken = true
        while isTaken {
          name = name + "~dropped"
          isTaken = entries.contains(name)
          if !isTaken { isTaken = try delivery.exists(name) }
        }
      }
      try from.rename(entry, to: delivery, as: name)
    }
  }

  private func moveOriginal(of record: JobRecord, to delivery: FolderHandle) throws(FileFailure) {
    guard try folder.handle.exists(JobFolder.source) else { return }
    let source = try folder.handle.folder(JobFolder.source)
    try IrregularFiles.remove(from: source, links: folder.links())
    try OriginalFolder(source, of: record).move(from: folder.handle, to: delivery, as: Self.original)
  }

  /// The names that the folder of a job may get in `done/` or `failed/`, the best one first.
  static func names(job: String, drop: FileName, isDone: Bool) -> [String] {
    // A delivered folder has the drop's name, because the user looks for that name.
    let first = isDone ? drop.text : job
    let second = first + (isDone ? "~\(job)" : "~2")
    return [first, second] + (3..<100).map { "\(second)~\($0)" }
  }

  private static func names(for record: JobRecord) -> [String] {
    names(job: record.id, drop: record.drop, isDone: record.state == .delivering)
  }

  /// The name of the folder that an earlier run has moved to `done/` or `failed/`; `nil` if it isn't there any more.
  func arrivedName(of record: JobRecord) throws(FileFailure) -> String? {
    let isDone = record.state == .delivering
    let destination = isDone ? spool.done : spool.failed
    for name in Self.names(for: record) {
      guard try destination.status(name)?.kind == .folder else { continue }
      if try FinishedPaper.read(in: destination.folder(name), isDone: isDone)?.job == record.id { return name }
    }
    return nil
  }

  private func hand(over record: JobRecord, to destination: FolderHandle) throws(FileFailure) -> String {
    for name in Self.names(for: record) {
      do throws(FileFailure) {
        try folder.handle.rename(JobFolder.delivery, to: destination, as: name)
        return name
      } catch {
        guard error.isTaken else { throw error }
      }
    }
    throw FileFailure("find a free name in", destination.path, EEXIST)
  }
}
