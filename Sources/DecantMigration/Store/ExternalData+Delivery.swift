package import DecantStore
internal import FileAccess
internal import Foundation

/// Gives a result the external files of its source.
extension ExternalData {
  /// If there are more files than this, one sync of the whole file system replaces a sync of each file.
  private static let mostSyncs = 64

  /// Copies regular files and folders to another store's place.
  ///
  /// Symbolic links and devices are left out and named in the result. If `links` is true, a file that an earlier call
  /// linked stays.
  ///
  /// - Parameters:
  ///   - links: Whether a file may be linked (hard link) instead of copied.
  ///   - isDurable: Whether everything is durable when this returns.
  ///   - goesOn: Asked before each file, with the number of copied files and of all files; false ends the copying.
  /// - Returns: A sentence for each entry that was left out.
  /// - Throws: `StoreError`; `.stopped` if `goesOn` ended the copying.
  package func copy(
    to target: ExternalData, links: Bool = false, isDurable: Bool = true,
    while goesOn: (_ done: Int, _ all: Int) -> Bool = { _, _ in true }
  ) throws(StoreError) -> [String] {
    var oddities: [String] = []
    guard try isThere() else { return oddities }
    try Self.makeFolder(target.folder)
    let entries = try entries()
    let all = entries.count { $0.kind == S_IFREG }
    // The file system is opened before the first file is written, so that its sync reports each failed write.
    let system = isDurable && all > Self.mostSyncs ? FileSystemSync(path: target.folder) : nil
    var folders = [target.folder]
    var done = 0
    for entry in entries {
      guard goesOn(done, all) else { throw .stopped(path: target.folder) }
      let destination = target.folder + "/" + entry.name
      switch entry.kind {
      case S_IFDIR:
        try Self.makeFolder(destination)
        folders.append(destination)
      case S_IFREG:
        try put(entry, at: destination, links: links) { goesOn(done, all) }
        if isDurable, system == nil { try FileCopy.sync(destination) }
        done += 1
      default: oddities.append("\(folder)/\(entry.name) is neither a file nor a folder; it is left out.")
      }
    }
    if let system {
      try Self.settle(system, target.folder) { goesOn(all, all) }
    } else if isDurable {
      for path in folders.reversed() { try FileCopy.sync(path) }
    }
    return oddities
  }

  private func put(
    _ entry: Entry, at destination: String, links: Bool, while goesOn: () -> Bool
  ) throws(StoreError) {
    let source = folder + "/" + entry.name
    var status = stat()
    if lstat(destination, &status) == 0 {
      // An earlier run linked the file. The file has no third name by which another program could write to it, so it
      // stays.
      let isLinked = (status.st_dev, status.st_ino) == (entry.device, entry.inode)
      if links, isLinked, entry.links == 2 { return }
      // If the old file can't be removed, the link or the copy fails with the reason.
      try? FileManager.default.removeItem(atPath: destination)
    }
    // If the file has another name, another program could still write to the file. Then the file is copied.
    if links, entry.links == 1, try Self.link(source, to: destination) { return }
    try FileCopy.copy(source, to: destination, keepsPermissions: true, while: goesOn)
  }

  private static func settle(
    _ system: FileSystemSync, _ path: String, while goesOn: () -> Bool
  ) throws(StoreError) {
    let settling = ParallelReading { _ throws(StoreError) in
      let code = system.run()
      guard code == 0 else { throw FileCopy.failure(path, "made durable", code) }
    }
    do { try settling.value(while: goesOn) } catch {
      throw error as? StoreError ?? .stopped(path: path)
    }
  }
}
