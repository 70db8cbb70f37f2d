internal import FileNames
package import Foundation
internal import Synchronization

/// Keeps the first disk failure that happens at some files while the watch exists.
///
/// Much data is optional, and code that can't read it continues without it. So code that returns a result must first
/// ask its watch whether a read failed.
package final class DiskWatch: Sendable {
  private final class Entry: Sendable {
    let places: Mutex<[[UInt8]]>
    let first = Mutex<DiskFailure?>(nil)

    init(_ places: [String]) { self.places = Mutex(places.map(DiskWatch.bytes)) }

    func isConcerned(by path: [UInt8]) -> Bool {
      places.withLock { $0.contains { DiskWatch.concerns(path, $0) } }
    }
  }

  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])
  private let entry: Entry

  /// - Parameter places: Paths of files and folders. The watch notices failures at these paths, at SQLite's files
  ///   beside them, and at everything below them.
  package init(at places: [String]) {
    let entry = Entry(places)
    self.entry = entry
    Self.entries.withLock { $0[ObjectIdentifier(entry)] = entry }
  }

  deinit {
    let key = ObjectIdentifier(entry)
    _ = Self.entries.withLock { $0.removeValue(forKey: key) }
  }

  /// The paths as given and as SQLite names them; SQLite resolves links in the folders above a file.
  package static func places(_ paths: [String]) -> [String] {
    // The files of a job are in few folders. Each folder is resolved only once.
    var real: [String: String] = [:]
    return paths.flatMap { path in
      let name = PathText.name(of: path).text
      if ["", ".", ".."].contains(name) { return [path, resolved(path)] }
      let folder = PathText.folder(of: path)
      let place = real[folder] ?? resolved(folder)
      real[folder] = place
      return [path, place + (place == "/" ? "" : "/") + name]
    }
  }

  /// A folder's path without symbolic links, as far as it exists.
  private static func resolved(_ folder: String) -> String {
    guard let real = realpath(folder, nil) else {
      return URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// A path without symbolic links, for reading.
  ///
  /// Watches of the given path then watch the returned path, too.
  package static func resolved(_ url: URL) -> URL {
    let real = url.resolvingSymlinksInPath()
    follow(url, to: real)
    return real
  }

  /// Makes watches of a path watch another place, too.
  package static func follow(_ url: URL, to real: URL) {
    let (named, place) = (bytes(url.path), bytes(real.path))
    guard named != place else { return }
    entries.withLock { entries in
      for entry in entries.values where entry.isConcerned(by: named) && !entry.isConcerned(by: place) {
        entry.places.withLock { $0.append(place) }
      }
    }
  }

  /// The first failure since the watch was made.
  package var failure: DiskFailure? { entry.first.withLock { $0 } }

  /// Notes the failure of a call in all watches of the path, if the errno is that of a disk failure.
  package static func note(_ path: String, _ action: String, _ code: Int32) {
    guard DiskFailure.isOne(code) else { return }
    let place = bytes(path)
    let concerned = entries.withLock { entries in
      entries.values.filter { $0.isConcerned(by: place) }
    }
    for entry in concerned {
      entry.first.withLock { $0 = $0 ?? DiskFailure(path: path, action: action, code: code) }
    }
  }

  private static let siblings = ["-wal", "-shm", "-journal"].map { Array($0.utf8) }

  private static func concerns(_ path: [UInt8], _ place: [UInt8]) -> Bool {
    guard path.starts(with: place) else { return false }
    let rest = path[place.count...]
    return rest.isEmpty || rest.first == UInt8(ascii: "/") || place.last == UInt8(ascii: "/")
      || siblings.contains { rest.elementsEqual($0) }
  }

  /// A path without trailing slashes, except for the root.
  private static func bytes(_ path: String) -> [UInt8] {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return bytes
  }
}
