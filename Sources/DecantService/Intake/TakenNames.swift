internal import DecantSpool
internal import FileNames

/// The names of the stores that were taken last, and their jobs.
///
/// The stores that an earlier daemon took are found in the records in `work/` and the reports in `done/` and `failed/`.
final class TakenNames {
  /// The largest number of names that are kept.
  static let most = 1000
  /// The largest number of refused jobs whose `reason.json` is read; the latest jobs are read.
  static let mostRefused = 1000

  private var jobs: [FileName: String] = [:]
  private var order: [FileName] = []
  /// The jobs in `failed/`, by the names of their drops; `nil` before the first question.
  private var refused: [FileName: String]?
  /// The jobs of loose stores in `work/`, by the names of the stores; `nil` before the first question.
  private var running: [FileName: String]?

  subscript(store: FileName) -> String? { jobs[store] }

  func note(_ store: FileName, job: String) {
    if jobs.updateValue(job, forKey: store) == nil { order.append(store) }
    if order.count > Self.most { jobs[order.removeFirst()] = nil }
  }

  /// The job of a loose store that is no longer in `incoming/`; `nil` if none is known.
  func job(of store: FileName, in spool: Spool) -> String? {
    if let job = jobs[store] { return job }
    let job =
      runningJob(of: store, in: spool) ?? Self.delivered(store, in: spool) ?? refusedJob(of: store, in: spool)
    guard let job else { return nil }
    note(store, job: job)
    return job
  }

  private func runningJob(of store: FileName, in spool: Spool) -> String? {
    let found = running ?? Self.records(in: spool)
    running = found
    return found[store]
  }

  private static func records(in spool: Spool) -> [FileName: String] {
    var found: [FileName: String] = [:]
    for id in (try? spool.work.names()) ?? [] where Recovery.arrival(of: id.text) != nil {
      guard let record = try? JobFolder(id.text, in: spool).record(), record.form == .loose else { continue }
      found[record.drop] = id.text
    }
    return found
  }

  /// The job of a delivered loose store, whose folder in `done/` has the store's name.
  private static func delivered(_ store: FileName, in spool: Spool) -> String? {
    guard store.isText, (try? spool.done.status(store.text))??.kind == .folder,
      let folder = try? spool.done.folder(store.text),
      let paper = try? FinishedPaper.read(in: folder, isDone: true),
      paper.drop == PrintedName.of(store.text)
    else { return nil }
    return paper.job
  }

  private func refusedJob(of store: FileName, in spool: Spool) -> String? {
    let found = refused ?? Self.refusals(in: spool)
    refused = found
    // A person may have removed the folder or dropped it again.
    guard let job = found[store], (try? spool.failed.exists(job)) == true else { return nil }
    return job
  }

  private static func refusals(in spool: Spool) -> [FileName: String] {
    let jobs = ((try? spool.failed.names()) ?? []).filter { $0.isText && Recovery.arrival(of: $0.text) != nil }
    var found: [FileName: String] = [:]
    // A job's name begins with its time, so the last names are those of the latest jobs.
    for job in jobs.sorted().suffix(mostRefused) {
      guard let folder = try? spool.failed.folder(job.text),
        let paper = try? FinishedPaper.read(in: folder, isDone: false),
        let name = paper.drop.flatMap({ PrintedName.name(of: $0) })
      else { continue }
      found[name] = job.text
    }
    return found
  }
}
