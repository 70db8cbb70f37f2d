internal import DecantSpool
internal import FileNames
internal import Glibc

/// The state of a catalogue's files, as a digest of names, kinds, sizes and write times.
///
/// Symbolic links are followed: families and bundles may be links (docs/catalogue.md).
struct CatalogueState {
  private(set) var fingerprint = Fingerprint()
  /// The folders that were read; each is read once, because a link may lead to a folder that contains the link.
  private var folders: Set<Place> = []

  private struct Place: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// - Throws: `FileFailure` if a folder can't be read.
  init(of catalogue: String) throws(FileFailure) { try read(folder: catalogue, depth: 0) }

  private mutating func read(folder path: String, depth: Int) throws(FileFailure) {
    guard depth < deepestTree else { throw FileFailure("read", path, ELOOP) }
    for name in try FolderHandle(path: path).names().sorted() {
      let path = "\(path)/\(name.text)"
      var status = stat()
      fingerprint.add(name.text)
      // A link may lead to nothing, and a file may have been removed.
      guard stat(path, &status) == 0 else { continue }
      let file = FileStatus(status)
      fingerprint.add(file.kind.rawValue)
      if file.kind != .folder {
        fingerprint.add(file.size)
        fingerprint.add(file.modified)
      } else if folders.insert(Place(device: file.device, inode: file.inode)).inserted {
        try read(folder: path, depth: depth + 1)
      }
    }
  }
}
