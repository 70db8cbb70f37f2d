internal import DecantMigration
internal import DecantModel
internal import DecantStore
internal import FileNames
internal import Foundation

/// `PATH.decant` beside an output: what an interrupted run leaves for the next one.
///
/// A class, because it holds a lock as long as it lives.
final class WorkFolder {
  /// How a run begins.
  enum Start: Equatable {
    case fresh
    /// An earlier run left something to go on from.
    case resumed
    /// An earlier run has finished the store, and the family is as it was then; it only has to be put into place.
    case finished
    /// An earlier run's work was thrown away because the store or the arguments have changed since.
    case outdated
    /// It was thrown away because the note on it can't be read.
    case unknown
  }

  let path: String
  private(set) var start = Start.fresh
  private let descriptor: Int32

  /// The engine's own folder.
  var work: String { path + "/work" }
  /// Where the finished store waits for its rename.
  var result: String { path + "/result" }
  /// Where what the finished store replaces is kept until it stands in its place.
  var replaced: String { path + "/replaced" }
  private static let note = "job.json"
  private static let finishedNote = "finished.json"
  /// What is being written gets its name when it is whole; its own name is fixed, so that a killed run's is found.
  private static let unfinishedNote = finishedNote + ".partial"
  private static let folders = ["work", "result", "replaced"]
  /// What an earlier run has noted of a store that it finished.
  private(set) var finished: Finished?
  /// The report on a store that an earlier run finished just before it ended, without a note of the command's own.
  private(set) var noted: MigrationReport?

  /// Takes the folder for a store, or makes it.
  ///
  /// - Parameter arguments: What else the result depends on; work that was begun with others is thrown away.
  /// - Throws: `CommandFailure` where it is another program's (73) or another run works in it (75).
  init(_ path: String, source: StoreFiles, arguments: [String]) throws(CommandFailure) {
    self.path = path
    try Self.make(path)
    let file = path + "/" + Self.note
    let opened = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw CommandFailure(errno: errno, file, "written") }
    descriptor = opened
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isStill(file) else {
      throw CommandFailure(
        ExitCode.tryAgain, "Another run is working in \(path).",
        advice: "Wait until it has ended, then try again.")
    }
    try enter(source, arguments)
  }

  deinit { close(descriptor) }

  private static func make(_ path: String) throws(CommandFailure) {
    guard mkdir(path, 0o700) != 0 else { return }
    guard errno == EEXIST else { throw CommandFailure(errno: errno, path, "made") }
    var status = stat()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? ["?"]
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, names.isEmpty || names.contains(note)
    else {
      throw CommandFailure(
        ExitCode.cantCreate, "\(path) is needed for working files, but it is there and not Decant's.",
        advice: "Move it away or name another output.")
    }
  }

  /// Whether the run that held the lock before has not removed the folder meanwhile.
  private func isStill(_ file: String) -> Bool {
    var (held, named) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && lstat(file, &named) == 0 && held.st_ino == named.st_ino
  }

  private func enter(_ source: StoreFiles, _ arguments: [String]) throws(CommandFailure) {
    let store = URL(fileURLWithPath: source.store).resolvingSymlinksInPath().path
    let now = Note(
      store: FileName(store), state: source.state, arguments: arguments.map { FileName($0) })
    let before = try? JSONDecoder().decode(
      Note.self, from: FileHandle(fileDescriptor: descriptor).readToEnd() ?? Data())
    if let before, before.store != now.store {
      throw CommandFailure(
        ExitCode.cantCreate, "\(path) holds unfinished work for something else, \(before.store).",
        advice: "Delete the folder to give that one up, or name another output.")
    }
    let hasWork = !((try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []).isEmpty
    if hasWork {
      start = before.map { $0 == now ? .resumed : .outdated } ?? .unknown
    }
    let isKept = before == now && takeFinished()
    if finished != nil || noted != nil {
      start = .finished
      return
    }
    putBack()
    unlink(path + "/" + Self.finishedNote)
    if !isKept { try? FileManager.default.removeItem(atPath: result) }
    if start == .outdated || start == .unknown { try? FileManager.default.removeItem(atPath: work) }
    for folder in [work, result] where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw CommandFailure(errno: errno, folder, "made")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(now), ftruncate(descriptor, 0) == 0,
      data.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, data.count, 0) }) == data.count
    else { throw CommandFailure(errno: errno, path + "/" + Self.note, "written") }
  }

  /// Takes a finished store, unless models or mapping models have changed since: then a run has to look whether it would
  /// make the same.
  ///
  /// - Returns: Whether there is one that such a run can go by.
  private func takeFinished() -> Bool {
    let note = ResultNote(in: work, results: result)
    let own = Self.finished(in: path)
    // Of a store that was at its target already there is no note: another run copies it again.
    let isCurrent = note?.isOfCatalogue ?? false
    // Once its files are on their way into their places there is nothing to go back to.
    if let own, isCurrent || !isUntouched(own) {
      finished = own
    } else if isCurrent {
      noted = note?.report
    }
    return note != nil
  }

  /// Whether all files of a finished store still wait here.
  private func isUntouched(_ finished: Finished) -> Bool {
    finished.files.allSatisfy { StoreFiles.identity(result + "/" + $0.key) == $0.value }
  }

  /// Whether a later run could go on from here.
  var hasWork: Bool { !((try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []).isEmpty }

  /// Removes what Decant has put here, and the folder where nothing else is in it.
  func remove() {
    for folder in Self.folders { try? FileManager.default.removeItem(atPath: path + "/" + folder) }
    for name in [Self.unfinishedNote, Self.finishedNote, Self.note] { unlink(path + "/" + name) }
    rmdir(path)
  }

  /// A finished store: the command's report on it, and which files and folders are its own, by their names.
  struct Finished: Codable {
    var store: String
    var report: Data
    var files: [String: [UInt64]]
  }

  /// The finished store that waits in a work folder; `nil` where there is none.
  static func finished(in path: String) -> Finished? {
    guard let data = try? DiskRead.contents(of: path + "/" + finishedNote, limit: ResultNote.largest),
      let finished = try? JSONDecoder().decode(Finished.self, from: data),
      StoreFiles.exists("\(path)/result/\(finished.store)")
    else { return nil }
    return finished
  }

  /// Notes that the result is finished, so that a run that ends before it stands in its place needn't be made again.
  ///
  /// - Parameter quarantines: The file names of the stores that hold refused objects.
  func finish(_ result: StoreFiles, quarantines: [String] = [], report: Data) throws(CommandFailure) {
    let own = [result.store] + result.companions + result.quarantines(quarantines).flatMap(\.all)
    let pairs = own.compactMap { file in
      StoreFiles.identity(file).map { (URL(fileURLWithPath: file).lastPathComponent, $0) }
    }
    let finished = Finished(
      store: result.name, report: report, files: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    let (file, partial) = (path + "/" + Self.finishedNote, path + "/" + Self.unfinishedNote)
    do {
      try JSONEncoder().encode(finished).write(to: URL(fileURLWithPath: partial))
      try FileCopy.sync(partial)
      guard rename(partial, file) == 0 else { throw FileCopy.failure(file, "put into place") }
      try FileCopy.sync(path)
    } catch let error as StoreError {
      throw CommandFailure(error)
    } catch {
      throw CommandFailure(errno: EIO, file, "written")
    }
    self.finished = finished
  }

  /// Puts back what a run that ended in the midst of `OutputPlace.install` had moved away from beside the store that is
  /// there, because the finished one won't come into its place any more.
  private func putBack() {
    guard let finished = Self.finished(in: path) else { return }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/"
    for (name, identity) in finished.files where StoreFiles.identity(folder + name) == identity {
      try? FileManager.default.removeItem(atPath: folder + name)
    }
    guard StoreFiles.exists(folder + finished.store) else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: replaced)) ?? []
    where !StoreFiles.exists(folder + name) {
      rename(replaced + "/" + name, folder + name)
    }
  }

  /// What the folder says about itself.
  private struct Note: Codable, Equatable {
    var store: FileName
    var state: String
    var arguments: [FileName]
  }
}
