internal import CLinux
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

  /// The entry of a job, or of the name of a folder.
  static func named(_ name: String, in spool: String, places: [String]) throws(CommandFailure) -> SpoolEntry {
    for place in places {
      let all = try all(place, in: spool)
      // A job's name comes before a folder's name, which a person may have chosen.
      if let entry = all.first(where: { $0.paper.job == name }) ?? all.first(where: { $0.name == name }) {
        return entry
      }
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
      guard access(folder, F_OK) == 0 else {
        throw CommandFailure(
          .noSuchFile, "There is no spool “\(spool)”: it has no folder “\(place)”.",
          advice: "Name the daemon's spool with --spool, or its configuration with --config.")
      }
      throw CommandFailure(
        .permission, "“\(folder)” can't be read.", advice: "Run this as the daemon's user, or as root.")
    }
    return names.filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
      // A folder without these papers is no job's.
      JobPaper("\(folder)/\(name)/\(place == "done" ? "report" : "reason").json").map {
        SpoolEntry(spool: spool, place: place, name: name, paper: $0)
      }
    }
  }

  /// Moves the original of a refused store back into `incoming/`, by one rename, and removes the papers.
  ///
  /// - Returns: The drop's name.
  func dropAgain() throws(CommandFailure) -> String {
    let original = "\(path)/original"
    let wanted = paper.drop.flatMap { Self.isPlain($0) ? $0 : nil } ?? name
    guard StoreFiles.exists(original) else {
      throw CommandFailure(
        .noSuchFile, "“\(path)” has no folder “original”.", advice: "Somebody has moved it away.")
    }
    for candidate in [wanted] + Self.numbers.lazy.map({ "\(wanted)-\($0)" }) {
      let place = "\(spool)/incoming/\(candidate)"
      guard decant_rename_without_replacing(AT_FDCWD, original, AT_FDCWD, place) == 0 else {
        if errno == EEXIST { continue }
        throw CommandFailure(errno: errno, place, "created")
      }
      do throws(StoreError) {
        // The new name first. A crash then leaves both or the new one.
        try FileCopy.sync("\(spool)/incoming")
        try FileCopy.sync(path)
      } catch {
        throw CommandFailure(error)
      }
      try remove()
      return candidate
    }
    throw CommandFailure(.cantCreate, "Every name from “\(wanted)” on is taken in “\(spool)/incoming”.")
  }

  /// Removes the folder with all that is in it, durably.
  func remove() throws(CommandFailure) {
    let gone = "\(spool)/\(place)/\(Self.gonePrefix)\(name)"
    // Half a folder must not look like a job's.
    guard rename(path, gone) == 0 else { throw CommandFailure(errno: errno, path, "removed") }
    do {
      try FileManager.default.removeItem(atPath: gone)
    } catch {
      throw CommandFailure(
        .files, "\(gone) can't be removed: \(error.localizedDescription)", advice: "Remove it by hand.")
    }
    do throws(StoreError) {
      try FileCopy.sync("\(spool)/\(place)")
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Whether a printed name is the name itself, and one that a drop may have.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\\")
      && name.utf8.count <= StoreNames.longestName
  }
}
