internal import DecantModel
internal import DecantStore
internal import Foundation

/// Replaces the external data of an old store by those of the new store.
///
/// The files are named with UUIDs, and a value that changes gets a file with another name. So the files of both stores
/// can be in one folder: both stores are complete until the surplus files are removed.
struct SupportFolders {
  private let old: String
  private let new: String
  /// The files and folders of the new store's external data, relative to `new`.
  private let names: [(path: String, isFolder: Bool)]

  init(old: String, new: String) throws(StoreError) {
    self.old = old
    self.new = new
    names = try Self.content(of: new)
  }

  /// Moves the new files into the old folder; a file with the same name is replaced.
  func add() throws(StoreError) {
    guard Self.kind(of: new) == S_IFDIR else { return }
    guard Self.kind(of: old) != nil else { return try move(new, to: old) }
    for (path, isFolder) in names {
      let target = old + "/" + path
      let kind = Self.kind(of: target)
      if let kind, (kind == S_IFDIR) != isFolder { try FileCopy.remove(target) }
      if isFolder {
        try FileCopy.makeFolder(target)
      } else {
        try move(new + "/" + path, to: target)
      }
    }
    for path in names.filter(\.isFolder).map(\.path).reversed() { try FileCopy.sync(old + "/" + path) }
    try FileCopy.sync(old)
  }

  func removeSurplus() throws(StoreError) {
    guard Self.kind(of: old) != nil else { return }
    if names.isEmpty { return try FileCopy.remove(old) }
    let kept = Set(names.map { Array($0.path.utf8) })
    for (path, _) in try Self.content(of: old).reversed() where !kept.contains(Array(path.utf8)) {
      try FileCopy.remove(old + "/" + path)
    }
  }

  private func move(_ file: String, to target: String) throws(StoreError) {
    guard rename(file, target) == 0 else { throw FileCopy.failure(target, "put into place") }
  }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Everything below a folder, parents first; links aren't followed.
  private static func content(of folder: String) throws(StoreError) -> [(path: String, isFolder: Bool)] {
    guard kind(of: folder) == S_IFDIR else { return [] }
    var found: [(path: String, isFolder: Bool)] = []
    var waiting = [""]
    while let below = waiting.popLast() {
      let path = below.isEmpty ? folder : folder + "/" + below
      guard let names = DiskRead.names(in: path) else { throw FileCopy.failure(path, "listed") }
      for name in names.sorted() {
        let relative = below.isEmpty ? name : below + "/" + name
        let isFolder = kind(of: folder + "/" + relative) == S_IFDIR
        found.append((relative, isFolder))
        if isFolder { waiting.append(relative) }
      }
    }
    return found
  }
}
