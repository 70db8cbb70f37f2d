internal import DecantReport
internal import FileNames
internal import Glibc
internal import PredicateFormat

/// A store's files in their place; they are only read.
struct SourceFiles {
  struct Digests: Sendable, Hashable, Codable {
    var bytes: Int
    var sha256: String
    var companions: LedgerLine.Companions?
  }

  let path: FileName
  var folder: [UInt8] {
    guard let slash = path.bytes.lastIndex(of: 0x2F) else { return [0x2E] }
    return slash == 0 ? [0x2F] : Array(path.bytes[..<slash])
  }
  var name: FileName { FileName(bytes: Array(path.bytes.suffix(from: nameStart))) }

  private var nameStart: Int { path.bytes.lastIndex(of: 0x2F).map { $0 + 1 } ?? 0 }

  /// The endings of files beside the store that have content of their own.
  ///
  /// A `-shm` is only an index of the `-wal`.
  private static let logs = ["-wal", "-journal"]
  /// The maximum depth of folders in the folder of external data.
  private static let depth = 8

  /// A text that changes when the store or one of its logs is written.
  ///
  /// The text also changes when an entry of the folder of external data is added or removed.
  ///
  /// - Throws: `MigrationFailure` if the store can't be examined, or if the store or one of its logs isn't a regular
  ///   file.
  func state() throws(MigrationFailure) -> String {
    guard let status = ByteFile.status(path.bytes) else { throw absence(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw MigrationFailure(.notAFile, message: "\(path) is a folder, not a store.")
    case S_IFLNK:
      throw MigrationFailure(
        .notAFile, message: "\(path) is a symbolic link, not a store.", advice: "Name the store itself.")
    default: throw MigrationFailure(.notAFile, message: "\(path) is not a regular file.")
    }
    var others: [String] = []
    for log in Self.logs.map({ path + $0 }) {
      let status = ByteFile.status(log.bytes)
      if let status, status.st_mode & S_IFMT != S_IFREG {
        throw MigrationFailure(
          .notAFile, message: "\(log) has the name of the store's log, but is not a regular file.",
          advice:
            "Remove this file if it isn't needed. A link isn't followed: put the log itself beside the store.")
      }
      others.append(status.map(Self.text) ?? "-")
    }
    others.append(ByteFile.status(support.bytes).map(Self.text) ?? "-")
    return ([Self.text(status)] + others).joined(separator: " ")
  }

  /// The failure of a store that can't be examined.
  ///
  /// If the store is missing but its folder exists, the store was removed and is refused. If the folder is missing,
  /// too, the file system may not be mounted on this machine, so the store is tried again.
  private func absence(_ code: Int32) -> MigrationFailure {
    let failure = FileTrouble(path.bytes, "read", code).failureOfStore
    guard code == ENOENT, ByteFile.status(ByteFile.path(folder, [0x2E])) == nil, errno == ENOENT else {
      return failure
    }
    return Self.notMounted(failure, "Its folder isn't there either.")
  }

  /// The file system of the store's folder; `nil` if the folder isn't there.
  var device: dev_t? { ByteFile.status(ByteFile.path(folder, [0x2E]))?.st_dev }

  /// The failure of a store that is missing, perhaps only on this machine.
  static func notMounted(_ failure: MigrationFailure, _ observation: String) -> MigrationFailure {
    MigrationFailure(
      failure.reason, .retry, message: "\(failure.message) \(observation)",
      advice:
        "Check whether the file system is mounted on this machine, then run the shard again. If the store was "
        + "removed for good, take it out of the manifest.")
  }

  /// Who may use the store's files; `nil` if the store isn't there.
  func access() -> StoreAccess? {
    guard var store = FilePermissions(of: path.bytes) else { return nil }
    for suffix in Self.logs {
      if let log = FilePermissions(of: (path + suffix).bytes) { store = store.narrowed(by: log) }
    }
    var access = StoreAccess(store: store)
    guard let folder = ByteFile.status(support.bytes), folder.st_mode & S_IFMT == S_IFDIR,
      let support = FilePermissions(of: support.bytes)
    else { return access }
    access.support = support
    var folders: FilePermissions?
    add(self.support.bytes, to: &access.external, folders: &folders, level: 0)
    access.externalFolders = folders ?? access.external.ofFolder
    return access
  }

  /// Narrows `files` to what all files in a folder allow, and `folders` to what all folders in it allow.
  private func add(
    _ folder: [UInt8], to files: inout FilePermissions, folders: inout FilePermissions?, level: Int
  ) {
    for entry in ByteFile.entries(of: folder) ?? [] {
      let path = ByteFile.path(folder, entry.name)
      guard let kind = try? FileTree.kind(entry, at: path), let own = FilePermissions(of: path) else {
        continue
      }
      switch kind {
      case S_IFREG: files = files.narrowed(by: own)
      case S_IFDIR where level < Self.depth:
        folders = folders?.narrowed(by: own) ?? own
        add(path, to: &files, folders: &folders, level: level + 1)
      default: break
      }
    }
  }

  private static func text(_ status: stat) -> String {
    "\(status.st_size)/\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  private var support: FileName {
    FileName(bytes: Array(path.bytes[..<nameStart]) + StoreNames.support(name).bytes)
  }

  /// Reads all files, and copies them into a folder if one is given.
  ///
  /// - Parameter copy: The folder and the store's name in it.
  func pass(
    copyingTo copy: (folder: [UInt8], name: FileName)? = nil, goesOn: () -> Bool
  ) throws(FileTrouble) -> Digests {
    var digest = SHA256Digest()
    var companions = LedgerLine.Companions(files: 0, bytes: 0, sha256: "")
    func take(_ pass: FilePass, _ label: [UInt8]) {
      companions.files += 1
      companions.bytes += pass.bytes
      (label + [0] + Array("\(pass.bytes) \(pass.sha256)\n".utf8)).withUnsafeBytes { digest.add($0) }
    }
    func file(_ path: [UInt8], _ place: [UInt8]?) throws(FileTrouble) -> FilePass {
      guard let place else { return try FilePass.read(path, goesOn: goesOn) }
      return try FilePass.copy(path, to: place, goesOn: goesOn)
    }
    func folder(_ path: [UInt8], _ place: [UInt8]?, _ label: [UInt8], level: Int) throws(FileTrouble) {
      if let place { try FileTree.make(place) }
      guard let entries = ByteFile.entries(of: path) else { throw FileTrouble(path, "read") }
      for entry in entries {
        let (from, to) = (ByteFile.path(path, entry.name), place.map { ByteFile.path($0, entry.name) })
        let label = ByteFile.path(label, entry.name)
        guard let status = ByteFile.status(from) else { throw FileTrouble(from, "read") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: take(try file(from, to), label)
        case S_IFDIR where level < Self.depth: try folder(from, to, label, level: level + 1)
        default: break
        }
      }
    }
    let store = try file(path.bytes, copy.map { ByteFile.path($0.folder, $0.name.bytes) })
    for suffix in Self.logs where ByteFile.status((path + suffix).bytes) != nil {
      let place = copy.map { ByteFile.path($0.folder, ($0.name + suffix).bytes) }
      take(try file((path + suffix).bytes, place), Array(suffix.utf8))
    }
    if let status = ByteFile.status(support.bytes), status.st_mode & S_IFMT == S_IFDIR {
      let place = copy.map { ByteFile.path($0.folder, StoreNames.support($0.name).bytes) }
      try folder(support.bytes, place, Array("external".utf8), level: 0)
    }
    companions.sha256 = digest.finish()
    return Digests(
      bytes: store.bytes, sha256: store.sha256, companions: companions.files > 0 ? companions : nil)
  }
}
