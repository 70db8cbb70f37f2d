internal import FileNames
internal import Foundation

/// The names that a store uses in its folder, even if the files don't exist yet.
struct StorePlaces {
  /// Device and inode number of the folder: the same for every path to it.
  private let folder: [UInt64]?
  private let path: String
  private let store: FileName
  private let siblings: [FileName]
  private let support: FileName

  init(_ path: String) {
    self.path = PathText.folder(of: path)
    folder = StoreFiles.identity(self.path)
    store = PathText.name(of: path)
    siblings = StoreNames.siblings(store)
    support = StoreNames.support(store)
  }

  /// Why the output can't have this name: one of the two stores would be read as a file of the other; `nil` if it can.
  ///
  /// Names that look alike count as equal. A file system may treat them as one name, and a store beside such a sibling
  /// is refused.
  func clash(withSource source: StorePlaces) -> String? {
    guard folder != nil, folder == source.folder else { return nil }
    if let taken = (source.siblings + [source.support]).first(where: { Self.areAlike(store, $0) }) {
      return "The output would be “\(taken)”, which is read as a part of the source “\(source.store)”."
    }
    if let own = (siblings + [support]).first(where: { Self.areAlike(source.store, $0) }) {
      return
        "The source “\(source.store)” would be “\(own)” of the output, which belongs to the output by its name."
    }
    return nil
  }

  /// Why the output can't have this name because of other stores in the folder; `nil` if it can.
  ///
  /// A file with the name of one of the output's files matters here only if it is a database.
  func clashWithNeighbours() -> String? {
    for neighbour in Self.files(in: path) where neighbour != store {
      let others = StoreNames.siblings(neighbour) + [StoreNames.support(neighbour)]
      if others.contains(where: { Self.areAlike(store, $0) }) {
        return "The output would be “\(store)”, which is read as a part of “\(neighbour)”."
      }
      if siblings.contains(where: { Self.areAlike(neighbour, $0) }), Self.isDatabase(neighbour, in: path) {
        return
          "“\(neighbour)” is a database, and would be read as a part of the output, to which it belongs by its name."
      }
    }
    return nil
  }

  private static func files(in folder: String) -> [FileName] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { FileName($0) }.filter { name in
      var status = stat()
      return lstat("\(folder)/\(name.text)", &status) == 0
        && [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT)
    }.sorted()
  }

  /// Whether a file has the header of an SQLite database that isn't empty (file format, 1.3).
  private static func isDatabase(_ name: FileName, in folder: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: "\(folder)/\(name.text)") else { return false }
    defer { try? file.close() }
    let start = try? file.read(upToCount: 16)
    return start == Data("SQLite format 3\0".utf8)
  }

  private static func areAlike(_ one: FileName, _ other: FileName) -> Bool {
    one == other || one.isOtherForm(of: other)
  }
}
