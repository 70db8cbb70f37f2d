package import FileNames
internal import Glibc

package enum SyncItem: Sendable {
  /// The names in a folder.
  case folder(FolderHandle)
  /// The content of a file.
  case file(String, in: FolderHandle)
  /// A name and everything below it, from the leaves up.
  ///
  /// Names in `but` are skipped, because they are durable already. They are directly in the tree's top folder.
  case tree(String, in: FolderHandle, but: Set<FileName> = [])

  var path: String {
    switch self {
    case .folder(let folder): folder.path
    case .file(let name, let folder), .tree(let name, let folder, _): folder.path(of: name)
    }
  }

  /// The number of files and folders of the items, counted up to a limit.
  static func count(_ items: [SyncItem], atMost limit: Int) -> Int {
    var count = 0
    for item in items where count < limit {
      guard case .tree(let name, let folder, _) = item else {
        count += 1
        continue
      }
      count += folder.countTree(FileName(name), atMost: limit - count)
    }
    return count
  }

  /// Makes only this item durable.
  func sync() throws(FileFailure) {
    switch self {
    case .folder(let folder): try folder.syncNames()
    case .file(let name, let folder): try folder.syncFile(FileName(name))
    case .tree(let name, let folder, let durable): try folder.syncTree(FileName(name), but: durable)
    }
  }
}

extension FolderHandle {
  /// Makes items durable.
  ///
  /// Without `rounds`, the items become durable one after the other, in this order. With `rounds`, they may become
  /// durable together, and together with the items of other callers.
  package func settle(_ items: [SyncItem]) throws(FileFailure) {
    guard let rounds else {
      for item in items { try item.sync() }
      return
    }
    try rounds.settle(items)
  }

  package func sync() throws(FileFailure) { try settle([.folder(self)]) }

  /// Counts a name and everything below it, up to a limit; a folder that can't be listed counts as one.
  fileprivate func countTree(_ name: FileName, atMost limit: Int, depth: Int = 0) -> Int {
    guard limit > 1, depth < deepestTree, (try? status(name))?.kind == .folder,
      let inner = try? folder(name), let names = try? inner.names()
    else { return 1 }
    guard names.count < limit else { return limit }
    var count = 1
    for entry in names where count < limit {
      count += inner.countTree(entry, atMost: limit - count, depth: depth + 1)
    }
    return count
  }

  fileprivate func syncNames() throws(FileFailure) {
    try FaultPlan.pass("fsync", path)
    guard fsync(descriptor) == 0 else { throw FileFailure("fsync", path) }
  }

  fileprivate func syncFile(_ name: FileName) throws(FileFailure) {
    try FaultPlan.pass("fsync", path(of: name))
    let file = name.bytes.withNullTerminated {
      openat(descriptor, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }
    guard file >= 0 else { throw FileFailure("fsync", path(of: name)) }
    var code: Int32 = fsync(file) == 0 ? 0 : errno
    if close(file) != 0, code == 0 { code = errno }
    guard code == 0 else { throw FileFailure("fsync", path(of: name), code) }
  }

  /// Makes a name and everything below it durable, from the leaves up.
  ///
  /// Entries that are neither a file nor a folder are skipped.
  fileprivate func syncTree(_ name: FileName, but durable: Set<FileName> = [], depth: Int = 0)
    throws(FileFailure)
  {
    guard let status = try status(name) else { return }
    guard depth < deepestTree else { throw FileFailure("fsync", path(of: name), ELOOP) }
    switch status.kind {
    case .folder:
      let inner = try folder(name)
      for entry in try inner.names() where !durable.contains(entry) {
        try inner.syncTree(entry, depth: depth + 1)
      }
      try inner.syncNames()
    case .file: try syncFile(name)
    default: return
    }
  }
}
