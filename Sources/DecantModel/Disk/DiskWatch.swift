package import Foundation
internal import Synchronization

/// Keeps the first failure of a disk at some files, from when it is made until it is let go.
///
/// Much of what is read is optional, and code that finds nothing goes on without it. So code that gives an answer asks
/// its watch first whether a disk has kept something back.
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

  /// Begins to watch.
  ///
  /// - Parameter places: Paths of files and folders. Their own failures count, those of SQLite's files beside them, and
  ///   those of everything below them.
  package init(at places: [String]) {
    let entry = Entry(places)
    self.entry = entry
    Self.entries.withLock { $0[ObjectIdentifier(entry)] = entry }
  }

  deinit {
    let key = ObjectIdentifier(entry)
    _ = Self.entries.withLock { $0.removeValue(forKey: key) }
  }

  /// Paths as they are named, and as SQLite names them: links in the folders above the file are resolved.
  package static func places(_ paths: [String]) -> [String] {
    paths.flatMap { path in
      let url = URL(fileURLWithPath: path)
      return [
        path, url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent,
      ]
    }
  }

  /// A path without symbolic links, for code that reads there.
  ///
  /// Watches of the path as it was named watch the real one from now on.
  package static func resolved(_ url: URL) -> URL {
    let real = url.resolvingSymlinksInPath()
    follow(url, to: real)
    return real
  }

  /// Lets watches of a path watch another place, too, because what is read there belongs to it.
  package static func follow(_ url: URL, to real: URL) {
    let (named, place) = (bytes(url.path), bytes(real.path))
    guard named != place else { return }
    entries.withLock { entries in
      for entry in entries.values where entry.isConcerned(by: named) && !entry.isConcerned(by: place) {
        entry.places.withLock { $0.append(place) }
      }
    }
  }

  /// The first failure since it was made; `nil` for none.
  package var failure: DiskFailure? { entry.first.withLock { $0 } }

  /// Notes the failure of a call for all watches, where it is one of the disk.
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

  /// Whether a path is a place, a file of SQLite beside it, or lies below it.
  private static func concerns(_ path: [UInt8], _ place: [UInt8]) -> Bool {
    guard path.starts(with: place) else { return false }
    let rest = path[place.count...]
    return rest.isEmpty || rest.first == UInt8(ascii: "/") || place.last == UInt8(ascii: "/")
      || siblings.contains { rest.elementsEqual($0) }
  }

  /// A path without slashes at its end, those of the root excepted.
  private static func bytes(_ path: String) -> [UInt8] {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return bytes
  }
}
