internal import DecantSpool
internal import FileNames
internal import Foundation
internal import Glibc

/// A folder in `done/` or `failed/` that the daemon has made for a job, and that holds only the job's files.
struct FinishedFolder: Sendable, Hashable {
  /// Why a name in `done/` or `failed/` doesn't name a `FinishedFolder`, or why its folder can't be read.
  struct Foreign: Error, Hashable {
    var reason: String
  }

  private static let original: FileName = "original"

  let name: String
  let job: String
  /// The drop's name in printable form.
  let drop: String
  /// When the folder last changed, in seconds since 1970.
  ///
  /// This is the later of two write times: that of the report, and that of the folder itself. The folder's write time
  /// changes when a name in it is added, removed or renamed.
  let changedAt: Double
  /// The bytes that the folder takes on the disk.
  let bytes: Int64

  /// Examines a name in `done/` or `failed/`.
  ///
  /// - Throws: `Foreign` if this isn't a `FinishedFolder`, or if it can't be read. The folder then stays.
  init(_ name: FileName, in place: FolderHandle, isDone: Bool) throws(Foreign) {
    guard name.isText else { throw Foreign(reason: "its name isn't UTF-8") }
    let paperName = isDone ? "report.json" : "reason.json"
    let folder: FolderHandle
    let (own, written): (FileStatus, FileStatus?)
    let read: FinishedPaper?
    do throws(FileFailure) {
      // A link is not followed.
      folder = try place.folder(name.text)
      own = try folder.status()
      written = try folder.status(paperName)
      read = try FinishedPaper.read(in: folder, isDone: isDone)
    } catch {
      throw Foreign(reason: error.description)
    }
    guard let written, let paper = read, let job = paper.job, let drop = paper.drop, Self.isJob(job) else {
      throw Foreign(reason: "it has no \(paperName) of a job")
    }
    guard geteuid() == 0 || own.owner == geteuid() else { throw Foreign(reason: "it belongs to another user") }
    guard Self.names(job, drop, isDone: isDone, fit: name.text) else {
      throw Foreign(reason: "its name isn't that of the job in \(paperName)")
    }
    let store = paper.file.map { FileName(($0 as NSString).lastPathComponent) }
    var stranger: String?
    do throws(FileFailure) {
      if let entry = try folder.names().first(where: { !Self.isExpected($0, isDone: isDone, paper, store) }) {
        stranger = "“\(entry)”, which no job has put there"
      } else if let entry = try Self.stranger(in: folder, depth: 0) {
        stranger = "“\(PrintedName.of(entry))”, which is neither a file nor a folder"
      }
      bytes = try place.takenBytes(name)
    } catch {
      throw Foreign(reason: error.description)
    }
    if let stranger { throw Foreign(reason: "it holds \(stranger)") }
    (self.name, self.job, self.drop) = (name.text, job, drop)
    changedAt = Double(max(written.modified, own.modified)) / 1e9
  }

  private static func isJob(_ text: String) -> Bool {
    text.wholeMatch(of: /[0-9]{8}T[0-9]{6}-[0-9]+/) != nil
  }

  /// Whether `Departure` may give this name to the folder of a job.
  private static func names(_ job: String, _ drop: String, isDone: Bool, fit name: String) -> Bool {
    guard let own = PrintedName.name(of: drop), own.isText || !isDone else { return false }
    return Departure.names(job: job, drop: own, isDone: isDone).contains { $0.utf8.elementsEqual(name.utf8) }
  }

  /// Whether the folder of a delivered or refused job may contain this name.
  private static func isExpected(
    _ name: FileName, isDone: Bool, _ paper: FinishedPaper, _ store: FileName?
  ) -> Bool {
    let papers: [FileName] = [isDone ? "report.json" : "reason.json", "report.txt", "report.html"]
    if papers.contains(name) { return true }
    guard isDone, let store else { return name == original }
    if DeliveredNames.contains(name, with: store) { return true }
    guard paper.result == "alreadyCurrent" else { return name == original }
    // The drop itself was delivered. It may have had texts beside the store, a request, hidden files and older reports.
    return name.hasPrefix(".") || CompanionText.isNamedSo(name) || name.hasSuffix("~dropped")
  }

  /// The first entry of a tree that is neither a file nor a folder, or whose name isn't UTF-8.
  private static func stranger(in folder: FolderHandle, depth: Int) throws(FileFailure) -> String? {
    guard depth < deepestTree else { throw FileFailure("read", folder.path, ELOOP) }
    for entry in try folder.names() {
      guard entry.isText else { return entry.escaped }
      switch try folder.status(entry.text)?.kind {
      case .file?, nil: break
      case .folder?:
        if let found = try stranger(in: folder.folder(entry.text), depth: depth + 1) { return found }
      case .some: return entry.text
      }
    }
    return nil
  }

  /// Removes the folder in two steps, so that half of it never looks like a job's folder.
  ///
  /// The daemon's next start removes what is left after a crash.
  func remove(from place: FolderHandle) throws(FileFailure) {
    let gone = JobFolder.gonePrefix + job
    try place.removeTree(gone)
    try place.rename(name, to: place, as: gone)
    try place.removeTree(gone)
    try place.sync()
  }
}
