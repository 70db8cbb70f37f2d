internal import DecantEngine
internal import DecantMigration
internal import FileNames
internal import Foundation

/// A store with all files that belong to it.
struct StoreFiles {
  let store: String

  init(_ store: String) {
    self.store = store
  }

  /// The -wal, the -shm and the -journal, which must never be beside another store of the same name.
  var siblings: [String] { StoreNames.siblingSuffixes.map { store + $0 } }
  /// The siblings with content of their own.
  ///
  /// A -shm is only an index of the -wal, and the next reader creates it again.
  var logs: [String] { ["-wal", "-journal"].map { store + $0 } }
  var supportFolder: String { ExternalData.supportFolder(of: store) }
  /// The place of a migration's associations.
  var associations: String { KeptAssociations.place(beside: URL(fileURLWithPath: store)).path }
  /// The store's other files and folders.
  var companions: [String] { siblings + [supportFolder, associations] }
  var folder: String { URL(fileURLWithPath: store).deletingLastPathComponent().path }
  var name: String { URL(fileURLWithPath: store).lastPathComponent }

  /// The list beside a quarantine: the same name with the ending `.json`.
  var list: String { URL(fileURLWithPath: store).deletingPathExtension().path + ".json" }

  /// The files of a quarantine, the store last.
  var all: [String] { [supportFolder, list, store] }

  /// The quarantines beside the store, with the names in the report.
  func quarantines(_ names: [String]) -> [StoreFiles] { names.map { StoreFiles(folder + "/" + $0) } }

  /// The files of existing quarantines with the store's name: of `NAME.quarantine`, of `NAME.quarantine-N` for an
  /// earlier step N, and of `NAME.quarantine-source`.
  var asides: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { DeliveredNames.isQuarantine(FileName($0), of: FileName(name)) }
      .map { folder + "/" + $0 }
  }

  /// Device and inode number of a file; for a link, of its target.
  static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  /// Whether the name exists; links are not followed.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// A text that changes with the store: size and time of the store and its logs.
  var state: String {
    ([store] + logs).map { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return "-" }
      return "\(status.st_size)/\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }.joined(separator: " ")
  }
}
