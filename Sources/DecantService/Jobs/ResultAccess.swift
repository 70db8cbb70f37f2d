internal import Glibc

/// Who may read a result or the reason of a refusal: those who could read the dropped store, unless the configuration
/// says otherwise.
///
/// Files get the store's mode, without the right to execute and without the right of everyone to write. Folders can be
/// entered by those who may read. The group is the store's, if the daemon is in that group; the owner is the store's, if
/// the daemon is root. Where they aren't, an access control list lets the store's owner and group read.
struct ResultAccess {
  private let mode: UInt32
  private let group: UInt32
  private let owner: UInt32

  /// - Parameters:
  ///   - folder: The dropped folder with the store; `nil` for a loose store.
  ///   - rules: What the configuration says.
  init(of store: FileStatus, in folder: FileStatus? = nil, rules: ResultRules = ResultRules()) {
    mode = rules.mode ?? Self.limited(store, by: folder) & 0o664 | 0o600
    (group, owner) = (rules.group ?? store.group, rules.owner ?? store.owner)
  }

  /// `nil` if the store is no longer in the job's folder.
  init?(of record: JobRecord, in folder: JobFolder, rules: ResultRules) {
    guard let store = record.store,
      let source = try? folder.handle.folder(JobFolder.source),
      let status = try? source.status(store.text), status.kind == .file
    else { return nil }
    // The folder of a loose store is the daemon's own.
    self.init(of: status, in: record.form == .folder ? try? source.status() : nil, rules: rules)
  }

  /// The store's mode, without the rights of those who can't enter its folder.
  private static func limited(_ store: FileStatus, by folder: FileStatus?) -> UInt32 {
    guard let folder else { return store.mode }
    let (groupEnters, othersEnter) = (folder.mode & 0o010 != 0, folder.mode & 0o001 != 0)
    // To another group, the folder may give the rights of its own group or those of everyone.
    let bothEnter = groupEnters && othersEnter
    var mode = store.mode
    if !(folder.group == store.group ? groupEnters : bothEnter) { mode &= ~0o070 }
    if !bothEnter { mode &= ~0o007 }
    return mode
  }

  private var folderMode: UInt32 { 0o700 | mode | (mode & 0o444) >> 2 }

  /// Lets those who may read the result enter a folder; what is in it keeps its access.
  func open(_ folder: FolderHandle) { set(folder.descriptor, folderMode) }

  /// Sets the access of a folder and of what the daemon and its workers made in it.
  ///
  /// A file with several names is external data that the worker linked: it is the dropped file itself. Names that can't
  /// be changed keep their access.
  func apply(to folder: FolderHandle, depth: Int = 0) throws(FileFailure) {
    guard depth < deepestTree else { throw FileFailure("change the access of", folder.path, ELOOP) }
    set(folder.descriptor, folderMode)
    for name in try folder.names() where name.isText {
      guard let status = try folder.status(name.text) else { continue }
      switch status.kind {
      case .folder: try apply(to: try folder.folder(name.text), depth: depth + 1)
      case .file where status.links == 1:
        let file = openat(folder.descriptor, name.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { continue }
        set(file, mode)
        close(file)
      default: continue
      }
    }
  }

  private func set(_ descriptor: Int32, _ mode: UInt32) {
    // A process that isn't root may give files only to its own groups.
    _ = fchown(descriptor, geteuid() == 0 ? owner : uid_t.max, group)
    _ = fchmod(descriptor, mode)
    var result = stat()
    guard fstat(descriptor, &result) == 0 else { return }
    let isFolder = result.st_mode & S_IFMT == S_IFDIR
    let reading: (UInt32) -> UInt16 = { $0 & 4 == 0 ? 0 : isFolder ? 5 : 4 }
    var list = AccessList(mode: mode)
    if result.st_uid != owner { list.users[owner] = reading(mode >> 6) }
    if result.st_gid != group { list.groups[group] = reading(mode >> 3) }
    // File systems without these lists have the mode alone.
    _ = list.apply(to: descriptor)
  }
}
