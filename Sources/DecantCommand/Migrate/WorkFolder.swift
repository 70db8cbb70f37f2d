internal import DecantConsole
internal import DecantMigration
internal import DecantModel
internal import DecantReport
internal import DecantStore
internal import FileNames
internal import Foundation

/// `PATH.decant` beside an output: the files of an interrupted run for the next run.
///
/// It is a class because it holds a lock for its lifetime.
final class WorkFolder {
  enum Start: Equatable {
    case fresh
    /// An earlier run left work to resume.
    case resumed
    /// An earlier run finished the store, and the store only has to be moved into place.
    case finished
    /// An earlier run's work was deleted because the store or the arguments have changed.
    case outdated
    /// An earlier run's work was deleted because its `job.json` can't be read.
    case unknown
  }

  let path: String
  private(set) var start = Start.fresh
  private let descriptor: Int32

  /// The engine's own folder.
  var work: String { path + "/work" }
  /// The place of the finished store before its rename.
  var result: String { path + "/result" }
  /// The place of the replaced files until the finished store is in its place.
  var replaced: String { path + "/replaced" }
  private static let note = "job.json"
  private static let finishedNote = "finished.json"
  /// The temporary name of `finished.json` until it is complete.
  ///
  /// The name is fixed, so that the file of a killed run is found and removed.
  private static let unfinishedNote = finishedNote + ".partial"
  private static let folders = ["work", "result", "replaced"]
  /// What `finished.json` says about a store that an earlier run or this run finished; `nil` if no such store can be
  /// used.
  private(set) var finished: Finished?
  /// The report on a finished store, if the earlier run ended before it wrote `finished.json`.
  private(set) var noted: MigrationReport?

  /// Opens or creates the folder for a store.
  ///
  /// - Parameter arguments: Everything else that the result depends on. Work with other arguments is deleted.
  init(_ path: String, source: StoreFiles, arguments: [String]) throws(CommandFailure) {
    self.path = path
    try Self.make(path)
    let file = path + "/" + Self.note
    let opened = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw CommandFailure(errno: errno, file, "written") }
    descriptor = opened
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isStill(file) else {
      throw CommandFailure(
        .stopped, "Another run is working in \(path).",
        advice: "Wait until it ends, then try again.")
    }
    try enter(source, arguments)
  }

  deinit {
    // Unlock first: a child process that is being started has a copy of the descriptor until its exec.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func make(_ path: String) throws(CommandFailure) {
    guard mkdir(path, 0o700) != 0 else { return }
    guard errno == EEXIST else { throw CommandFailure(errno: errno, path, "made") }
    var status = stat()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? ["?"]
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, names.isEmpty || names.contains(note)
    else {
      throw CommandFailure(
        .cantCreate, "\(path) is needed for working files, but it exists and is not Decant's.",
        advice: "Move it away or name another output.")
    }
  }

  /// The previous holder of the lock may have removed the folder, so that the path leads to another file.
  private func isStill(_ file: String) -> Bool {
    var (held, named) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && lstat(file, &named) == 0 && held.st_ino == named.st_ino
  }

  private func enter(_ source: StoreFiles, _ arguments: [String]) throws(CommandFailure) {
    let store = URL(fileURLWithPath: source.store).resolvingSymlinksInPath().path
    let now = Note(
      store: FileName(store), state: source.state, arguments: arguments.map { FileName($0) })
    let before = try Self.read(Note.self, path + "/" + Self.note)
    if let before, before.store != now.store {
      throw CommandFailure(
        .cantCreate, "\(path) holds unfinished work for another store, \(before.store).",
        advice: "Delete the folder to discard that work, or name another output.")
    }
    let hasWork = !((try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []).isEmpty
    if hasWork {
      start = before.map { $0 == now ? .resumed : .outdated } ?? .unknown
    }
    let isKept = before == now ? try takeFinished() : false
    if finished != nil || noted != nil {
      start = .finished
      return
    }
    try putBack()
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

  /// Uses a finished store if its catalogue is unchanged, or if some of its files are in their places already.
  ///
  /// - Returns: Whether a run that checks the catalogue may still use the finished store.
  private func takeFinished() throws(CommandFailure) -> Bool {
    let note = ResultNote(in: work, results: result)
    let own = try Self.finished(in: path)
    // If the store had its target version already, there is no `ResultNote`. Another run copies the store again.
    let isCurrent = note?.isOfCatalogue ?? false
    // If some files are in their places already, the other files have to follow.
    if let own, isCurrent || !isUntouched(own) {
      finished = own
    } else if isCurrent {
      noted = note?.report
    }
    return note != nil
  }

  private func isUntouched(_ finished: Finished) -> Bool {
    finished.files.allSatisfy { StoreFiles.identity(result + "/" + $0.key) == $0.value }
  }

  /// Whether a later run could resume from here.
  var hasWork: Bool { !((try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []).isEmpty }

  /// Removes Decant's files, and the folder if it is empty then.
  func remove() {
    for folder in Self.folders { try? FileManager.default.removeItem(atPath: path + "/" + folder) }
    for name in [Self.unfinishedNote, Self.finishedNote, Self.note] { unlink(path + "/" + name) }
    rmdir(path)
  }

  /// A finished store: the command's report, and the device and inode number of each file and folder by name.
  struct Finished: Codable {
    var store: String
    var report: Data
    var files: [String: [UInt64]]

    func owns(_ path: String) -> Bool {
      let identity = files[URL(fileURLWithPath: path).lastPathComponent]
      return identity != nil && StoreFiles.identity(path) == identity
    }
  }

  /// The store that an earlier run finished, in its work folder or in its place; `nil` if there is none.
  ///
  /// A run removes this folder last, so all files may be in their places already.
  static func finished(in path: String) throws(CommandFailure) -> Finished? {
    guard let finished = try read(Finished.self, path + "/" + finishedNote),
      StoreFiles.exists("\(path)/result/\(finished.store)") || finished.owns(place(of: finished.store, path))
    else { return nil }
    return finished
  }

  private static func place(of name: String, _ path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + name
  }

  /// A killed run may have left an incomplete file, so a file that can't be decoded counts as missing.
  private static func read<Note: Decodable>(_: Note.Type, _ file: String) throws(CommandFailure) -> Note? {
    let data: Data
    do throws(FileProblem) {
      data = try DiskRead.contents(of: file, limit: ResultNote.largest)
    } catch .system(let code) where code != ENOENT {
      throw CommandFailure(errno: code, file, "read")
    } catch {
      return nil
    }
    return try? JSONDecoder().decode(Note.self, from: data)
  }

  /// Records in `finished.json` that the result is finished.
  ///
  /// If the run ends before the finished store is in its place, the next run doesn't repeat the work.
  func finish(_ result: StoreFiles, quarantines: [String] = [], report: Data) throws(CommandFailure) {
    let own = [result.store] + result.companions + result.quarantines(quarantines).flatMap(\.all)
    let pairs = own.compactMap { file in
      StoreFiles.identity(file).map { (URL(fileURLWithPath: file).lastPathComponent, $0) }
    }
    let finished = Finished(
      store: result.name, report: report, files: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    let (file, partial) = (path + "/" + Self.finishedNote, path + "/" + Self.unfinishedNote)
    do {
      try FileCopy.makeDurable(JSONEncoder().encode(finished), at: partial)
      guard rename(partial, file) == 0 else { throw FileCopy.failure(file, "put into place") }
      try FileCopy.sync(path)
    } catch let error as StoreError {
      throw CommandFailure(error)
    } catch {
      throw CommandFailure(errno: EIO, file, "written")
    }
    self.finished = finished
  }

  /// Undoes an `OutputPlace.install` that ended before the store was in its place.
  ///
  /// The files that it put into place are removed, because the finished store won't be used any more. The files that it
  /// moved away are moved back if the store to which they belong is still in its place.
  private func putBack() throws(CommandFailure) {
    guard let finished = try Self.finished(in: path),
      // A store in its place is a complete output.
      !finished.owns(Self.place(of: finished.store, path))
    else { return }
    for place in finished.files.keys.map({ Self.place(of: $0, path) }) where finished.owns(place) {
      try? FileManager.default.removeItem(atPath: place)
    }
    guard StoreFiles.exists(Self.place(of: finished.store, path)) else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: replaced)) ?? [] {
      let place = Self.place(of: name, path)
      if !StoreFiles.exists(place) { rename(replaced + "/" + name, place) }
    }
  }

  /// The content of `job.json`: the store and the arguments of the folder's work.
  private struct Note: Codable, Equatable {
    var store: FileName
    var state: String
    var arguments: [FileName]
  }
}
