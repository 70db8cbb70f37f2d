internal import DecantMigration
internal import Foundation

/// A store with everything that belongs to it.
struct StoreFiles {
  let store: String

  init(_ store: String) {
    self.store = store
  }

  /// Files that hold part of the content, and must never lie beside another store of that name.
  var siblings: [String] { ["-wal", "-shm", "-journal"].map { store + $0 } }
  var supportFolder: String { ExternalData.supportFolder(of: store) }
  /// Where a migration leaves its associations.
  var associations: String { KeptAssociations.place(beside: URL(fileURLWithPath: store)).path }
  /// Everything but the store itself that has its name.
  var companions: [String] { siblings + [supportFolder, associations] }
  var folder: String { URL(fileURLWithPath: store).deletingLastPathComponent().path }
  var name: String { URL(fileURLWithPath: store).lastPathComponent }

  /// The same beside it with the ending `.json`: the list that goes with a quarantine.
  var list: String { URL(fileURLWithPath: store).deletingPathExtension().path + ".json" }

  /// The files of a quarantine, the store last.
  var all: [String] { [supportFolder, list, store] }

  /// The quarantines beside the store, by the names that the report gives.
  func quarantines(_ names: [String]) -> [StoreFiles] { names.map { StoreFiles(folder + "/" + $0) } }

  /// Whatever is there of quarantines that have the store's name: `NAME.quarantine`, with the number of an earlier step.
  var asides: [String] {
    let stem = URL(fileURLWithPath: store).deletingPathExtension().lastPathComponent + ".quarantine"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { name in
      var rest = name[...]
      let isFolder = rest.hasPrefix("." + stem)
      if isFolder { rest.removeFirst() }
      guard rest.hasPrefix(stem) else { return false }
      rest.removeFirst(stem.count)
      let ending = rest.drop { $0 == "-" || $0.isASCII && $0.isNumber }
      let number = rest.dropLast(ending.count)
      guard number.isEmpty || (number.first == "-" && Int(number.dropFirst()) ?? 0 > 0) else { return false }
      return isFolder
        ? ending == "_SUPPORT"
        : [".json", ".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal"].contains(String(ending))
    }.map { folder + "/" + $0 }
  }

  /// Device and number, which identify a file whatever it is called.
  ///
  /// Links are followed; `nil` where there is no such file.
  static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  /// Whether there is anything of that name; links are not followed.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// What tells whether a store was changed: size and time of the store and its log.
  var state: String {
    ([store] + siblings.filter { !$0.hasSuffix("-shm") }).map { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return "-" }
      return "\(status.st_size)/\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }.joined(separator: " ")
  }
}
