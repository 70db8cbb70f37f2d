internal import DecantStore
internal import Foundation

/// Where a store is to be written: checked before the work, filled with one rename after it.
struct OutputPlace {
  let files: StoreFiles
  private let overwrites: Bool
  var path: String { files.store }

  /// - Throws: `CommandFailure` where the place is the source's own (64), is taken (73) or can't be written (77).
  init(_ path: String, source: String?, overwrites: Bool) throws(CommandFailure) {
    guard path != "-" else {
      throw CommandFailure(
        ExitCode.usage, "A store can't be written to standard output.", advice: "Name a file: --output PATH.")
    }
    guard !path.hasSuffix("/") else {
      throw CommandFailure(
        ExitCode.cantCreate, "\(path) names a folder.", advice: "Name the file to make: --output \(path)STORE.")
    }
    files = StoreFiles(path)
    self.overwrites = overwrites
    try checkFolder()
    if let source { try checkSource(StoreFiles(source)) }
    try checkVacancy()
  }

  private func checkFolder() throws(CommandFailure) {
    var status = stat()
    guard stat(files.folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(
        ExitCode.cantCreate, "\(path) can't be made: there is no folder \(files.folder).",
        advice: "Make it first.")
    }
    guard access(files.folder, W_OK | X_OK) == 0 else {
      throw CommandFailure(errno: errno, files.folder, "written")
    }
  }

  private func checkSource(_ source: StoreFiles) throws(CommandFailure) {
    let taken = Set(([source.store] + source.siblings).compactMap(StoreFiles.identity))
    for candidate in [path] + files.siblings {
      guard let identity = StoreFiles.identity(candidate), taken.contains(identity) else { continue }
      throw CommandFailure(
        ExitCode.usage,
        candidate == path
          ? "The output \(path) is the source itself."
          : "The output would replace \(candidate), a file of the source.",
        advice: "The source is never written: name another file.")
    }
    if let support = StoreFiles.identity(source.supportFolder),
      support == StoreFiles.identity(files.supportFolder)
    {
      throw CommandFailure(
        ExitCode.usage, "The output would share the folder \(source.supportFolder) with the source.",
        advice: "Give the output a name of its own or another folder.")
    }
  }

  private func checkVacancy() throws(CommandFailure) {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) else {
        throw CommandFailure(
          ExitCode.cantCreate, "\(path) is there already and not a file.", advice: "Name the file to make.")
      }
      guard overwrites else {
        throw CommandFailure(
          ExitCode.cantCreate, "\(path) is there already.",
          advice: "Name another file, or say --force to replace it.")
      }
    }
    guard !overwrites else { return }
    for other in files.siblings + [files.supportFolder] where StoreFiles.exists(other) {
      throw CommandFailure(
        ExitCode.cantCreate, "\(other) is there already; it belongs to another store of the output's name.",
        advice: "Move it away, or say --force to replace it.")
    }
  }

  /// Moves a finished store with its siblings and external data into place; the store itself last.
  func install(_ result: StoreFiles) throws(CommandFailure) {
    try checkVacancy()
    for (index, old) in files.siblings.enumerated() {
      guard unlink(old) == 0 || errno == ENOENT else { throw CommandFailure(errno: errno, old, "removed") }
      let new = result.siblings[index]
      if StoreFiles.exists(new) { try move(new, to: old) }
    }
    if StoreFiles.exists(files.supportFolder) {
      try? FileManager.default.removeItem(atPath: files.supportFolder)
    }
    if StoreFiles.exists(result.supportFolder) { try move(result.supportFolder, to: files.supportFolder) }
    try move(result.store, to: path)
    do { try FileCopy.sync(files.folder) } catch { throw CommandFailure(error) }
  }

  private func move(_ old: String, to new: String) throws(CommandFailure) {
    guard rename(old, new) == 0 else { throw CommandFailure(errno: errno, new, "written") }
  }
}
