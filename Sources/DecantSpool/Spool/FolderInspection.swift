internal import FileAccess
internal import FileNames

/// Looks at a name in `incoming/` and everything below it, without opening a file.
package struct FolderInspection {
  /// The deepest level; external data is never deeper.
  package static let deepest = 8

  let drop: FileName
  let access: AccessCheck
  let device: UInt64
  let now: Int64
  let remedy: AccessRemedy
  /// The owner of the dropped folder or of the loose store; `nil` for a name that can't become a drop.
  let owner: UInt32?
  var fingerprint = Fingerprint()
  var obstacles: [Obstacle] = []
  var isFromTheFuture = false

  /// Looks at a name and everything below it; returns the name's kind, or `nil` if it vanished.
  mutating func look(at name: FileName, in folder: FolderHandle, depth: Int = 0) throws(FileFailure)
    -> FileStatus.Kind?
  {
    guard let status = try folder.status(name.text) else { return nil }
    let path = folder.path(of: name)
    add(status, name: name)
    guard status.device == device else {
      obstacles.append(.otherFileSystem(drop: drop, path: path))
      return status.kind
    }
    if let owner, !isExpected(status.owner, in: owner) {
      obstacles.append(.foreignOwner(drop: drop, path: path, owner: status.owner, expected: owner))
    }
    switch status.kind {
    case .file:
      if status.links > 1 { obstacles.append(.hardLink(drop: drop, path: path, links: status.links)) }
      if !access.allows(AccessCheck.read, status, rights: folder.rights(of: name.text, status)) {
        addUnreadable(path, status, folder.rights(of: name.text, status))
      }
      if status.modified > now { isFromTheFuture = true }
    case .folder:
      let needed = AccessCheck.read | AccessCheck.write | AccessCheck.search
      guard access.allows(needed, status, rights: folder.rights(of: name.text, status)) else {
        addUnreadable(path, status, folder.rights(of: name.text, status))
        return .folder
      }
      try lookInside(name, in: folder, depth: depth)
    default:
      obstacles.append(.wrongKind(drop: drop, path: path, kind: status.kind))
    }
    return status.kind
  }

  /// Whether a file of a user may be in a drop of `dropOwner`.
  ///
  /// Without this rule, a user could put a file beside another user's store, or give a result the content of another
  /// user's file.
  private func isExpected(_ user: UInt32, in dropOwner: UInt32) -> Bool {
    let trusted: Set<UInt32> = [0, access.user]
    return user == dropOwner || trusted.contains(user) || trusted.contains(dropOwner)
  }

  private mutating func lookInside(_ name: FileName, in folder: FolderHandle, depth: Int) throws(FileFailure) {
    guard depth < Self.deepest else {
      obstacles.append(
        Obstacle(
          drop: drop,
          message: "“\(PrintedName.of(folder.path(of: name)))” is nested too deep for a store's files.",
          command: "rm -r \(ShellQuoting.quote(folder.path(of: name)))"))
      return
    }
    let inner: FolderHandle
    do throws(FileFailure) {
      inner = try folder.folder(name.text)
    } catch {
      if error.isMissing { return }
      throw error
    }
    let entries = try inner.names().sorted()
    let there = Set(entries)
    let usable = entries.filter { !$0.isText && StoreNames.isStore($0) }
      .map { UsableName(for: $0, isThere: there.contains) }
    // One command renames a store with its files.
    let covered = Set(usable.flatMap { $0.renamed.dropLast().map(\.old) })
    for entry in entries {
      if covered.contains(entry) { continue }
      guard entry.isText else {
        obstacles.append(
          .badName(
            drop: drop, name: entry, folder: inner.path, reason: "has a name that isn't UTF-8",
            usable: UsableName(for: entry, isThere: there.contains)))
        continue
      }
      _ = try look(at: entry, in: inner, depth: depth + 1)
    }
  }

  private mutating func add(_ status: FileStatus, name: FileName) {
    fingerprint.add(name.text)
    fingerprint.add(status.kind.rawValue)
    fingerprint.add(Int64(bitPattern: status.inode))
    fingerprint.add(status.size)
    fingerprint.add(status.modified)
    fingerprint.add(status.changed)
    fingerprint.add(Int64(status.mode))
    fingerprint.add(Int64(status.links))
  }

  private mutating func addUnreadable(_ path: String, _ status: FileStatus, _ rights: FileRights) {
    let isFolder = status.kind == .folder
    obstacles.append(
      .unreadable(
        drop: drop, path: path, isFolder: isFolder,
        command: remedy.command(for: path, isFolder: isFolder, rights: rights, groups: access.groups)))
  }
}
