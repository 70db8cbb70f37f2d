internal import Foundation

/// A run's folder in the output, for results that aren't complete yet.
///
/// `OUTPUT/.unfinished/` has a folder `SHARD-RUN` for each run. A run that continues the scratch folder of a killed run
/// has the same name, so it takes over this folder, too. A run can't know whether the run of another machine still
/// works. So a run removes the folder of that other run only if the folder wasn't used for 36 hours. A run whose folder
/// was removed makes the folder again.
struct UnfinishedFolder: Sendable {
  /// The time after which an unused folder of another run is removed, in seconds.
  private static let longestPause = 36 * 3600
  /// The ending of the name of an earlier result that was moved away for a new one.
  static let replaced = ".replaced"

  private let output: String
  private let shard: String
  private var root: String { output + "/.unfinished" }
  let path: String

  /// Makes the folder, and puts earlier results back that killed runs of the shard had moved away.
  init(in output: String, shard: PathKey, run: String) throws(ShardError) {
    self.output = output
    self.shard = shard.hex
    path = "\(output)/.unfinished/\(shard.hex)-\(run)"
    for folder in folders() where putBack(folder) && folder == path {
      try? FileManager.default.removeItem(atPath: path)
    }
    do throws(FileTrouble) {
      try make()
    } catch {
      throw .file(path: ByteFile.printed(error.path), action: error.action, code: error.code)
    }
  }

  /// Makes the folder if it isn't there.
  ///
  /// No run removes the folder above it, because another shard may be making its own folder there.
  func make() throws(FileTrouble) {
    try FileTree.make(Array(root.utf8))
    // A result gets its source's access rights in this folder. Until then no other user may read it.
    try FileTree.make(Array(path.utf8), mode: 0o700)
  }

  func remove() { remove(path) }

  /// Removes the folder of another run, which has ended.
  func remove(ofRun run: String) { remove("\(root)/\(shard)-\(run)") }

  /// Removes the folders of the shard's other runs that weren't used for a long time.
  func removeOld() {
    // Times are compared by the file system's clock, not by this machine's.
    guard utimensat(AT_FDCWD, path, nil, 0) == 0, let now = ByteFile.status(Array(path.utf8)) else { return }
    for folder in folders() where folder != path {
      guard let status = ByteFile.status(Array(folder.utf8)),
        status.st_mtim.tv_sec < now.st_mtim.tv_sec - Self.longestPause
      else { continue }
      remove(folder)
    }
  }

  private func remove(_ folder: String) {
    // If an earlier result can't be put back, the folder stays for a later run.
    if putBack(folder) { try? FileManager.default.removeItem(atPath: folder) }
  }

  private func folders() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return names.filter { $0.hasPrefix(shard + "-") }.map { "\(root)/\($0)" }
  }

  /// Puts the earlier results of a folder back into places that have no newer one.
  ///
  /// - Returns: Whether each earlier result is back, or isn't needed.
  private func putBack(_ folder: String) -> Bool {
    var isDone = true
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasSuffix(Self.replaced) {
      let place = PathKey.folder(ofDigits: name.dropLast(Self.replaced.count))
      // A rename doesn't replace a folder that has files, so a newer result stays.
      let code = ByteFile.rename(Array("\(folder)/\(name)".utf8), to: Array("\(output)/\(place)".utf8))
      if code != 0, ![EEXIST, ENOTEMPTY].contains(errno) { isDone = false }
    }
    return isDone
  }
}
