internal import DecantConsole
internal import DecantModel
internal import DecantReport
internal import DecantStore
internal import FileNames
internal import Foundation

/// A job's folder in `done/` or `failed/`.
struct SpoolEntry: Sendable, Hashable {
  /// The prefix of a folder that is being removed; the daemon doesn't count such names.
  private static let gonePrefix = ".gone-"
  private static let numbers = 2...9999

  let spool: String
  /// `done` or `failed`.
  let place: String
  let name: String
  let paper: JobPaper

  var path: String { "\(spool)/\(place)/\(name)" }

  /// The entries of `failed/`, in the order of their names.
  static func failed(in spool: String) throws(CommandFailure) -> [SpoolEntry] { try all("failed", in: spool) }

  /// The entry of a job or of a folder with this name; if there is none, the latest entry of a drop with this name.
  static func named(_ name: String, in spool: String, places: [String]) throws(CommandFailure) -> SpoolEntry {
    var entries: [SpoolEntry] = []
    for place in places {
      let all = try all(place, in: spool)
      // A job's name comes before the names that a person may have chosen.
      if let entry = all.first(where: { $0.paper.job == name }) ?? all.first(where: { $0.name == name }) {
        return entry
      }
      entries += all
    }
    let printed = PrintedName.of(name)
    let ofDrop = entries.filter { $0.paper.drop == printed || $0.paper.drop == name }
    if let latest = ofDrop.max(by: { ($0.paper.job ?? "") < ($1.paper.job ?? "") }) { return latest }
    for place in places where isClosed(name, in: "\(spool)/\(place)") {
      throw CommandFailure(
        .permission, "“\(spool)/\(place)/\(name)” can't be read.",
        advice: "Run this as the daemon's user, or as root.")
    }
    throw CommandFailure(
      .noSuchJob, "There is no job or folder “\(name)” in \(places.joined(separator: " or ")) of “\(spool)”.",
      advice: "“decant status” shows the last results.")
  }

  private static func all(_ place: String, in spool: String) throws(CommandFailure) -> [SpoolEntry] {
    let folder = "\(spool)/\(place)"
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      guard access(folder, F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno) else {
        throw CommandFailure(
          .noSuchFile, "There is no spool “\(spool)”: it has no folder “\(place)”.",
          advice: "Name the daemon's spool with --spool, or its configuration with --config.")
      }
      throw CommandFailure(
        .permission, "“\(folder)” can't be read.", advice: "Run this as the daemon's user, or as root.")
    }
    return names.filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
      // A folder without this file isn't a job's folder.
      JobPaper("\(folder)/\(name)/\(place == "done" ? "report" : "reason").json").map {
        SpoolEntry(spool: spool, place: place, name: name, paper: $0)
      }
    }
  }

  private static func isClosed(_ name: String, in folder: String) -> Bool {
    guard !name.contains("/"), StoreFiles.exists("\(folder)/\(name)") else { return false }
    return access("\(folder)/\(name)", R_OK | X_OK) != 0 && errno == EACCES
  }

  /// The path that `dropAgain` would give the drop now; nothing is changed.
  func dropPath() throws(CommandFailure) -> String {
    let wanted = try wantedName()
    for candidate in names(from: wanted) where !NewName.isTaken(candidate, in: "\(spool)/incoming") {
      return incomingPath(candidate)
    }
    throw noNameFree(wanted)
  }

  private func wantedName() throws(CommandFailure) -> FileName {
    guard StoreFiles.exists("\(path)/original") else {
      throw CommandFailure(
        .noSuchFile, "“\(path)” has no folder “original”.",
        advice: "It was moved away, or an earlier retry ended halfway. “decant forget \(name)” removes the "
          + "report files.")
    }
    return paper.drop.flatMap(Self.dropName) ?? FileName(name)
  }

  private func names(from wanted: FileName) -> [FileName] { [wanted] + Self.numbers.map { wanted + "-\($0)" } }

  private func incomingPath(_ name: FileName) -> String {
    "\(spool)/incoming/\(name.isText ? name.text : name.description)"
  }

  private func noNameFree(_ wanted: FileName) -> CommandFailure {
    CommandFailure(.cantCreate, "All names from “\(wanted)” on are taken in “\(spool)/incoming”.")
  }

  /// Moves the original of a refused store back into `incoming/`, by one rename, and removes the job's folder.
  ///
  /// - Returns: The drop's path; bytes that aren't UTF-8 are escaped in it.
  func dropAgain() throws(CommandFailure) -> String {
    let wanted = try wantedName()
    for candidate in names(from: wanted) {
      guard try NewName.rename("\(path)/original", into: "\(spool)/incoming", as: candidate) else { continue }
      do throws(StoreError) {
        // Make the new name durable first. After a crash, both names or the new name are there.
        try FileCopy.sync("\(spool)/incoming")
        try FileCopy.sync(path)
      } catch {
        throw CommandFailure(error)
      }
      try remove()
      return incomingPath(candidate)
    }
    throw noNameFree(wanted)
  }

  /// Removes the folder with all that is in it, durably.
  func remove() throws(CommandFailure) {
    let gone = Self.gonePath(of: name, in: "\(spool)/\(place)")
    // An earlier removal may have ended halfway.
    try Self.removeTree(gone)
    // Rename first, because half a folder must not look like a job's folder.
    guard rename(path, gone) == 0 else { throw CommandFailure(errno: errno, path, "removed") }
    try Self.removeTree(gone)
    try Self.sync("\(spool)/\(place)")
  }

  /// The rest of a folder after an interrupted removal.
  struct Rest {
    let folder: String
    let path: String

    func remove() throws(CommandFailure) {
      try SpoolEntry.removeTree(path)
      try SpoolEntry.sync(folder)
    }
  }

  static func rest(of name: String, in spool: String, places: [String]) throws(CommandFailure) -> Rest? {
    guard !name.isEmpty, !name.contains("/") else { return nil }
    return places.lazy.map { Rest(folder: "\(spool)/\($0)", path: gonePath(of: name, in: "\(spool)/\($0)")) }
      .first { StoreFiles.exists($0.path) }
  }

  /// The folder's content in words: `3 files, 1.2 MiB`.
  func contents() throws(CommandFailure) -> String {
    var (files, bytes) = (0, 0)
    let names: [String]
    do { names = try FileManager.default.subpathsOfDirectory(atPath: path) } catch {
      throw CommandFailure(.files, "\(path) can't be read: \(error.localizedDescription)")
    }
    for name in names {
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
      files += 1
      bytes += Int(status.st_size)
    }
    return "\(counted(files, "file")), \(Quantity.bytes(bytes))"
  }

  private static func gonePath(of name: String, in folder: String) -> String {
    "\(folder)/\(gonePrefix)\(name)"
  }

  private static func removeTree(_ path: String) throws(CommandFailure) {
    guard StoreFiles.exists(path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // A daemon that starts may have removed the folder at the same time.
      guard StoreFiles.exists(path) else { return }
      throw CommandFailure(
        .files, "\(path) can't be removed: \(error.localizedDescription)", advice: "Remove it by hand.")
    }
  }

  private static func sync(_ folder: String) throws(CommandFailure) {
    do throws(StoreError) {
      try FileCopy.sync(folder)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The name of a drop, from its printed form; `nil` if no drop may have this name.
  private static func dropName(_ printed: String) -> FileName? {
    guard let name = PrintedName.name(of: printed), !name.bytes.isEmpty, !name.hasPrefix("."),
      !name.bytes.contains(0x2F), !name.bytes.contains(0), name.bytes.count <= StoreNames.longestName
    else { return nil }
    return name
  }
}
