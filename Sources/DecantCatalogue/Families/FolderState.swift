internal import FileNames
internal import Foundation
internal import PredicateFormat

/// The state of a folder, to detect changes: every entry with its inode, mode, size and times.
///
/// Links are followed, as when the catalogue is read.
package struct FolderState: Sendable {
  private struct Stamp: Sendable, Hashable {
    let path: String
    let device: UInt64
    let inode: UInt64
    let mode: UInt32
    var size: Int64
    var modified: Moment
    var changed: Moment

    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.path = path
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      mode = status.st_mode
      size = Int64(status.st_size)
      modified = Moment(status.st_mtim)
      changed = Moment(status.st_ctim)
    }

    var isFolder: Bool { mode & S_IFMT == S_IFDIR }

    /// The stamp without size and times, which also change with entries that don't belong to the family.
    var withoutEntries: Stamp {
      var stamp = self
      (stamp.size, stamp.modified, stamp.changed) = (0, .none, .none)
      return stamp
    }
  }

  /// The entries of a folder that belong to the family, if not all of them do.
  private struct Choice: Sendable {
    let path: String
    let concerns: @Sendable (String) -> Bool
    let names: [String]

    init?(_ path: String, _ concerns: @escaping @Sendable (String) -> Bool) {
      guard let names = FolderState.names(in: path) else { return nil }
      self.path = path
      self.concerns = concerns
      self.names = names.filter(concerns)
    }

    var holds: Bool { Choice(path, concerns)?.names.map { FileName($0) } == names.map { FileName($0) } }
  }

  private struct Moment: Sendable, Hashable {
    let seconds: Int
    let nanoseconds: Int

    /// The time of an entry whose time is ignored.
    static let none = Moment(timespec())

    init(_ time: timespec) {
      seconds = time.tv_sec
      nanoseconds = time.tv_nsec
    }
  }

  /// The maximum depth.
  ///
  /// A link to a parent folder would make the search endless.
  private static let deepest = 16
  private static let most = 50_000
  /// The seconds within which two changes may have the same time: network file systems store whole seconds.
  private static let grain = 2

  private let stamps: [Stamp]
  private let choice: Choice?
  /// When the state was read, in seconds since 1970.
  private let seen: Int

  /// Reads the state of a folder or file.
  ///
  /// - Parameters:
  ///   - concerns: Whether an entry of the folder itself belongs to the state; `nil` for all entries. Changes of other
  ///     entries, and of the folder's own size and times, are ignored.
  ///   - seconds: The current time by the file system's clock, in seconds since 1970.
  /// - Returns: `nil` if something can't be examined, or if there are too many entries or levels of folders.
  init?(of path: String, taking concerns: (@Sendable (String) -> Bool)? = nil, at seconds: Int) {
    seen = seconds
    var stamps: [Stamp] = []
    if let concerns {
      guard let stamp = Stamp(of: path), let choice = Choice(path, concerns) else { return nil }
      stamps.append(stamp.withoutEntries)
      let isSeen = choice.names.allSatisfy { Self.look(at: path + "/" + $0, depth: 1, into: &stamps) }
      guard isSeen else { return nil }
      self.choice = choice
    } else {
      guard Self.look(at: path, depth: 0, into: &stamps) else { return nil }
      choice = nil
    }
    self.stamps = stamps
  }

  private static func look(at path: String, depth: Int, into stamps: inout [Stamp]) -> Bool {
    guard depth <= deepest, stamps.count < most, let stamp = Stamp(of: path) else { return false }
    stamps.append(stamp)
    guard stamp.isFolder else { return true }
    guard let names = names(in: path) else { return false }
    return names.allSatisfy { look(at: path + "/" + $0, depth: depth + 1, into: &stamps) }
  }

  private static func names(in folder: String) -> [String]? {
    try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  init?(of place: FamilyPlace, at seconds: Int) {
    let concerns: @Sendable (String) -> Bool = { place.concerns($0) }
    self.init(of: place.folder.path, taking: place.isBundle ? concerns : nil, at: seconds)
  }

  /// A digest of the state.
  ///
  /// The device number isn't part of the digest, because this number may change when the machine restarts.
  var digest: String {
    var digest = SHA256Digest()
    for stamp in stamps {
      let times = [stamp.modified, stamp.changed].map { "\($0.seconds).\($0.nanoseconds)" }
      let line = "\(stamp.path)\0\(stamp.inode) \(stamp.mode) \(stamp.size) \(times)\n"
      Array(line.utf8).withUnsafeBytes { digest.add($0) }
    }
    return digest.finish()
  }

  /// Whether the last change is old enough that a further change would have a different time.
  var isSettled: Bool { stamps.allSatisfy { $0.changed.seconds + Self.grain < seen } }

  /// Whether nothing has changed.
  ///
  /// A new or removed name changes the time of its folder. So only the folder of a choice is listed again.
  var holds: Bool {
    let folders = choice == nil ? 0 : 1
    return (choice?.holds ?? true)
      && stamps.prefix(folders).allSatisfy { Stamp(of: $0.path)?.withoutEntries == $0 }
      && stamps.dropFirst(folders).allSatisfy { Stamp(of: $0.path) == $0 }
  }
}
