internal import DecantSpool
internal import FileAccess
internal import Glibc

/// Who may read a result or the reason of a refusal: those who could read the dropped store, unless the configuration
/// says otherwise.
///
/// Only the owner of a result may write it, unless `resultMode` allows others. The users who may read it can enter its
/// folders.
///
/// If the daemon can't set the owner or the group of the result, an access list names them instead. The list also has
/// the users and groups of the store's own access list.
struct ResultAccess {
  private let mode: UInt32
  private let group: UInt32
  private let owner: UInt32
  /// Whether the users and groups of access lists may read, by their numbers.
  private var users: [UInt32: Bool] = [:]
  private var groups: [UInt32: Bool] = [:]

  /// - Parameter folder: The rights of the dropped folder with the store; `nil` for a loose store.
  init(of store: FileRights, in folder: FileRights? = nil, rules: ResultRules = ResultRules()) {
    (group, owner) = (rules.group ?? store.group, rules.owner ?? store.owner)
    if let mode = rules.mode {
      self.mode = mode
      return
    }
    let (read, search) = (FileRights.read, FileRights.search)
    var mode: UInt32 = 0o600
    if store.list.group & store.list.effectiveMask & read != 0,
      folder?.allowMembers(of: store.group, search) ?? true
    {
      mode |= 0o040
    }
    if store.list.others & read != 0, folder?.allowEverybody(search) ?? true { mode |= 0o004 }
    self.mode = mode
    for user in Set(store.list.users.keys).union(folder?.list.users.keys ?? [:].keys) where user != geteuid() {
      users[user] = store.allowUser(user, read) && folder?.allowUser(user, search) ?? true
    }
    for group in Set(store.list.groups.keys).union(folder?.list.groups.keys ?? [:].keys)
    where group != self.group {
      groups[group] = store.allowMembers(of: group, read) && folder?.allowMembers(of: group, search) ?? true
    }
  }

  private init(onlyFor owner: UInt32, of other: ResultAccess) {
    (mode, group, self.owner) = (0o600, other.group, owner)
  }

  /// The same access, without the group and all other users.
  var forOwnerAlone: ResultAccess { ResultAccess(onlyFor: owner, of: self) }

  init?(of record: JobRecord, in folder: JobFolder, rules: ResultRules) {
    guard let store = record.store,
      let source = try? folder.handle.folder(JobFolder.source),
      let status = try? source.status(store.text), status.kind == .file
    else { return nil }
    // The folder of a loose store is the daemon's own, so its rights don't count.
    self.init(
      of: source.rights(of: store.text, status), in: record.form == .folder ? try? source.rights() : nil,
      rules: rules)
  }

  private var folderMode: UInt32 { 0o700 | mode | (mode & 0o444) >> 2 }

  /// Lets the users who may read the result enter a folder; the entries in the folder keep their access.
  func open(_ folder: FolderHandle) { set(folder.descriptor, folderMode) }

  /// Sets the access of a folder and of the files and folders in it.
  ///
  /// A file with several names is a dropped external data file that the worker linked. The dropped file keeps its
  /// rights. If these aren't the rights of a result, a copy replaces the file in the folder. Files that the daemon
  /// can't open or change keep their access.
  func apply(to folder: FolderHandle, depth: Int = 0) throws(FileFailure) {
    guard depth < deepestTree else { throw FileFailure("change the access of", folder.path, ELOOP) }
    set(folder.descriptor, folderMode)
    for name in try folder.names() where name.isText {
      guard let status = try folder.status(name.text) else { continue }
      switch status.kind {
      case .folder: try apply(to: try folder.folder(name.text), depth: depth + 1)
      case .file:
        if status.links > 1 {
          if fits(folder.rights(of: name.text, status)) { continue }
          try folder.separate(name)
        }
        let file = openat(folder.descriptor, name.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { continue }
        set(file, mode)
        close(file)
      default: continue
      }
    }
  }

  /// Whether a dropped file has the rights of a result already.
  private func fits(_ rights: FileRights) -> Bool {
    let (read, write) = (FileRights.read, FileRights.write)
    let daemon = geteuid()
    guard rights.owner == owner || rights.owner == daemon,
      (rights.list.owner ^ mode >> 6) & (read | write) == 0,
      !rights.allowAnyone(write, except: [owner, daemon, 0]), (rights.list.others ^ mode) & read == 0
    else { return false }
    let isForAll = mode & 0o044 == 0o044
    let wantedUsers = users.merging([owner: mode & 0o400 != 0]) { $1 }
    let wantedGroups = groups.merging([group: mode & 0o040 != 0]) { $1 }
    return Set(rights.list.users.keys).union(wantedUsers.keys).subtracting([rights.owner, daemon]).allSatisfy {
      rights.allowUser($0, read) == wantedUsers[$0] ?? isForAll
    }
      && Set(rights.list.groups.keys).union(wantedGroups.keys).union([rights.group]).allSatisfy {
        rights.allowMembers(of: $0, read) == wantedGroups[$0] ?? isForAll
      }
  }

  private func set(_ descriptor: Int32, _ mode: UInt32) {
    var result = stat()
    guard fstat(descriptor, &result) == 0 else { return }
    // The file system writes each change to the disk, so make only needed changes.
    let isRoot = geteuid() == 0
    if result.st_gid != group || isRoot && result.st_uid != owner || result.st_mode & 0o7777 != mode {
      // A process that isn't root may give files only to its own groups.
      _ = fchown(descriptor, isRoot ? owner : uid_t.max, group)
      _ = fchmod(descriptor, mode)
      guard fstat(descriptor, &result) == 0 else { return }
    }
    let isFolder = result.st_mode & S_IFMT == S_IFDIR
    let reading: UInt32 = isFolder ? FileRights.read | FileRights.search : FileRights.read
    var list = AccessList(mode: mode)
    list.users = users.mapValues { $0 ? reading : 0 }
    list.groups = groups.mapValues { $0 ? reading : 0 }
    list.users[result.st_uid] = nil
    list.groups[result.st_gid] = nil
    if result.st_uid != owner { list.users[owner] = mode & 0o400 == 0 ? 0 : reading }
    if result.st_gid != group { list.groups[group] = mode & 0o040 == 0 ? 0 : reading }
    // On file systems without access lists, the mode alone counts.
    if !list.users.isEmpty || !list.groups.isEmpty { _ = list.apply(to: descriptor) }
  }
}
