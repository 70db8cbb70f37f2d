internal import DecantConsole
internal import DecantReport
internal import FileNames
internal import Foundation

struct DropOutcome: Sendable, Hashable {
  let job: String
  /// Whether the result is in `done/`.
  let isDone: Bool
  /// The path of the job's folder.
  let folder: String
  var reason = ""
  var message = ""
  var advice = ""
  var coreDataCode: Int?

  init(_ result: DaemonStatus.Result, spool: String, drop: String) {
    job = result.job
    isDone = result.place == "done"
    let place = "\(spool)/\(isDone ? "done" : "failed")"
    // The status has the folder's printable name, but programs need its real name.
    let real = isDone ? [drop, "\(drop)~\(job)"].map { "\(place)/\($0)" } : ["\(place)/\(job)"]
    let told = result.folder ?? ""
    folder = real.first { PrintedName.of($0) == told } ?? real.first(where: StoreFiles.exists) ?? told
    reason = result.reason ?? ""
    message = result.message ?? ""
    advice = result.advice ?? ""
    coreDataCode = result.coreDataCode
  }

  /// Finds a drop's outcome in the spool's folders, because the status of a daemon that was restarted doesn't show it.
  ///
  /// - Parameter known: The jobs that existed before the drop.
  static func inFolders(of spool: String, drop: String, known: Set<String>) -> DropOutcome? {
    for name in names(in: "\(spool)/done") where name == drop || name.hasPrefix("\(drop)~") {
      guard let paper = JobPaper("\(spool)/done/\(name)/report.json"), paper.drop == PrintedName.of(drop),
        !known.contains(paper.job ?? "")
      else { continue }
      return DropOutcome(paper, isDone: true, folder: "\(spool)/done/\(name)")
    }
    for job in jobs(in: spool) where !known.contains(job) {
      guard let paper = JobPaper("\(spool)/failed/\(job)/reason.json"), paper.drop == PrintedName.of(drop)
      else {
        continue
      }
      return DropOutcome(paper, isDone: false, folder: "\(spool)/failed/\(job)")
    }
    return nil
  }

  /// - Parameter drop: The printed name of the job's drop, with which the folder's name in `done/` begins; `nil` if the
  ///   drop isn't known.
  static func ofJob(_ job: String, drop: String?, in spool: String) -> DropOutcome? {
    if !job.contains("/"), let paper = JobPaper("\(spool)/failed/\(job)/reason.json") {
      return DropOutcome(paper, isDone: false, folder: "\(spool)/failed/\(job)")
    }
    for name in names(in: "\(spool)/done") {
      let printed = PrintedName.of(name)
      guard drop.map({ printed == $0 || printed.hasPrefix("\($0)~") }) ?? true,
        let paper = JobPaper("\(spool)/done/\(name)/report.json"), paper.job == job
      else { continue }
      return DropOutcome(paper, isDone: true, folder: "\(spool)/done/\(name)")
    }
    return nil
  }

  /// The jobs in `failed/`, the latest first; empty if the folder can't be read.
  static func jobs(in spool: String) -> [String] { names(in: "\(spool)/failed").sorted(by: >) }

  static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  init(_ paper: JobPaper, isDone: Bool, folder: String) {
    (job, self.isDone, self.folder) = (paper.job ?? "", isDone, folder)
    (reason, message, advice) = (paper.reason ?? "", paper.message ?? "", paper.advice ?? "")
    coreDataCode = paper.coreDataCode
  }

  var failure: CommandFailure {
    CommandFailure(
      FailureReason(word: reason.isEmpty ? "fault" : reason),
      message.isEmpty ? "The store was refused; \(folder)/reason.json says why." : message,
      exitCode: ExitCode.badData, advice: "\(advice.isEmpty ? "" : advice + " ")The store is in \(folder).",
      coreDataCode: coreDataCode)
  }
}
