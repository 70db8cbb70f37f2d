internal import DecantMigration
internal import FileNames
internal import Foundation

/// A store with everything that belongs to it.
struct StoreFiles {
  let store: String

  init(_ store: String) {
    self.store = store
  }

  /// Files that hold part of the content, and must never lie beside another store of that name.
  var siblings: [String] { StoreNames.siblingSuffixes.map { store + $0 } }
  /// The siblings with content of their own; a -shm is an index of the -wal that its next reader makes anew.
  var logs: [String] { ["-wal", "-journal"].map { store + $0 } }
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

  /// Whatever is there of quarantines that have the store's name: `NAME.quarantine`, with the number of an earlier step, and
  /// `NAME.quarantine-source`.
  var asides: [String] {
    let stem = StoreNames.stem(FileName(name)).text + ".quarantine"
    let suffixes = [".json", ".sqlite"] + StoreNames.siblingSuffixes.map { ".sqlite" + $0 }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { text in
      let name = FileName(text)
      let isFolder = name.hasPrefix("." + stem)
      guard isFolder || name.hasPrefix(stem) else { return false }
      let rest = name.bytes.dropFirst(stem.utf8.count + (isFolder ? 1 : 0))
      let isOfSource = rest.starts(with: "-source".utf8)
      let ending =
        isOfSource
        ? rest.dropFirst("-source".utf8.count) : rest.drop { $0 == 0x2D || (0x30...0x39).contains($0) }
      let number = isOfSource ? "" : String(decoding: rest.dropLast(ending.count), as: UTF8.self)
      guard number.isEmpty || (number.first == "-" && Int(number.dropFirst()) ?? 0 > 0) else { return false }
      return isFolder
        ? ending.elementsEqual("_SUPPORT".utf8) : suffixes.contains { ending.elementsEqual($0.utf8) }
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
    ([store] + logs).map { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return "-" }
      return "\(status.st_size)/\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }.joined(separator: " ")
  }
}
