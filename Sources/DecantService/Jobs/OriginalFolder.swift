internal import DecantSpool
internal import FileAccess
internal import Glibc

/// The move of the dropped files to `original/`.
///
/// In `incoming/`, a drop may give the daemon access through a group, and so give it to all members of the group. In
/// `done/` and `failed/`, the members shouldn't be able to change the original.
struct OriginalFolder {
  let source: FolderHandle
  /// The store's owner; without a store, the owner of `source`.
  let owner: UInt32

  init(_ source: FolderHandle, of record: JobRecord) throws(FileFailure) {
    self.source = source
    var status = try source.status()
    if let name = record.store, let store = try source.status(name.text) { status = store }
    owner = status.owner
  }

  /// Whether users other than the store's owner, the daemon's user and root may write any of the dropped files.
  var isOpen: Bool {
    get throws(FileFailure) { try source.isWritable(exceptBy: [owner, geteuid(), 0]) }
  }

  /// Moves the dropped files; continues where an earlier run stopped.
  ///
  /// If other users may write these files, the folder is closed: then only the folder's owner, the store's owner and
  /// the daemon can enter it.
  ///
  /// The folder stays open if the daemon can neither change its rights nor move the files out of it.
  ///
  /// - Parameter work: The folder that holds `source`.
  func move(from work: FolderHandle, to delivery: FolderHandle, as name: String) throws(FileFailure) {
    let status = try source.status()
    let isBegun = try delivery.exists(name)
    let isOpen = try self.isOpen
    guard isBegun || isOpen else { return try work.rename(JobFolder.source, to: delivery, as: name) }
    // Only its owner and root can change a folder's rights. From another user's sticky folder, no file can be moved.
    let canClose = geteuid() == 0 || status.owner == geteuid()
    guard isBegun || !canClose && status.mode & 0o1000 == 0 else {
      if canClose { close(source) }
      return try work.rename(JobFolder.source, to: delivery, as: name)
    }
    try delivery.make(name, mode: 0o700)
    let original = try delivery.folder(name)
    close(original)
    for entry in try source.names().sorted() { try source.rename(entry, to: original, as: entry) }
  }

  private func close(_ folder: FolderHandle) {
    _ = fchmod(folder.descriptor, 0o700)
    var list = AccessList(mode: 0o700)
    if (try? folder.status().owner) != owner { list.users[owner] = 7 }
    _ = list.apply(to: folder.descriptor)
  }
}
