internal import DecantMigration
internal import DecantReport
internal import DecantSpool
internal import FileNames
internal import Glibc

/// Entries of a taken drop that are neither folders nor files with a single name.
///
/// A drop that has such entries at the scan isn't taken. So such entries only appear while the drop is taken, or later
/// from a program that still has the dropped folder open.
enum IrregularFiles {
  /// The path of the first such entry; `nil` if there is none.
  ///
  /// An entry that can't be read, a name that isn't UTF-8 and a folder that is too deep count as such entries.
  ///
  /// - Parameter links: The number of names that Decant itself gave to files, by inode.
  static func first(in folder: FolderHandle, links: [UInt64: Int]) throws(FileFailure) -> String? {
    do throws(FileFailure) {
      return try first(in: folder, links, depth: 0)
    } catch {
      if error.isPassing { throw error }
      return error.path
    }
  }

  private static func first(in folder: FolderHandle, _ links: [UInt64: Int], depth: Int) throws(FileFailure)
    -> String?
  {
    for name in try folder.names() {
      let path = folder.path(of: name.text)
      guard name.isText, depth <= FolderInspection.deepest else { return path }
      guard let status = try folder.status(name.text) else { continue }
      switch status.kind {
      case .file where status.links == 1 + links[status.inode, default: 0]: continue
      case .folder:
        if let inner = try first(in: try folder.folder(name.text), links, depth: depth + 1) { return inner }
      default: return path
      }
    }
    return nil
  }

  static func refusal(of path: String, drop: FileName) -> MigrationFailure {
    MigrationFailure(
      .irregularFile,
      message:
        "“\(drop)” changed after it was taken: “\(PrintedName.of(path))” is not a plain file with one name.",
      advice:
        "Drop the store again with plain files only. Links and pipes are removed from “original”, and a file that has a second name elsewhere is replaced by a copy."
    )
  }

  /// Removes all entries that are neither a file nor a folder, so that nothing in `done/` or `failed/` leads elsewhere.
  ///
  /// A file with another name elsewhere could still be changed through that name, so a copy replaces it.
  ///
  /// - Parameter links: The number of names that Decant itself gave to files, by inode; `nil` for files of a worker,
  ///   which are never replaced.
  static func remove(from folder: FolderHandle, links: [UInt64: Int]?, depth: Int = 0) throws(FileFailure) {
    guard depth < deepestTree else { throw FileFailure("read", folder.path, ELOOP) }
    for name in try folder.names() {
      guard let status = try folder.status(name) else { continue }
      switch status.kind {
      case .file:
        if let links, status.links > 1 + links[status.inode, default: 0] { try folder.separate(name) }
      case .folder: try remove(from: try folder.folder(name), links: links, depth: depth + 1)
      default: try folder.remove(name)
      }
    }
  }
}
