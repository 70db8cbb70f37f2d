internal import Foundation
internal import PredicateFormat

/// The state of a folder, to detect changes: every entry with size, number and times.
///
/// Links are followed, as in reading the catalogue.
struct FolderState: Sendable, Hashable {
  /// One file or folder.
  private struct Stamp: Sendable, Hashable {
    let path: String
    let device: UInt64
    let inode: UInt64
    let mode: UInt32
    let size: Int64
    let modified: Moment
    let changed: Moment

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
  }

  private struct Moment: Sendable, Hashable {
    let seconds: Int
    let nanoseconds: Int

    init(_ time: timespec) {
      seconds = time.tv_sec
      nanoseconds = time.tv_nsec
    }
  }

  /// The greatest depth.
  ///
  /// A link to a folder above would make the search endless.
  private static let deepest = 16
  private static let most = 50_000
  /// The seconds within which two changes may have the same time: network file systems store whole seconds.
  private static let grain = 2

  private let stamps: [Stamp]
  /// The time of the look, in seconds.
  private let seen: Int

  /// Reads the state of a folder or file.
  ///
  /// - Parameters:
  ///   - concerns: Selects entries of the folder itself.
  ///   - seconds: The current time, on the file system's clock.
  /// - Returns: `nil` if an entry can't be read, or if there are too many.
  init?(of path: String, taking concerns: (String) -> Bool = { _ in true }, at seconds: Int) {
    seen = seconds
    var stamps: [Stamp] = []
    guard Self.look(at: path, depth: 0, taking: concerns, into: &stamps) else { return nil }
    self.stamps = stamps
  }

  private static func look(
    at path: String, depth: Int, taking concerns: (String) -> Bool = { _ in true }, into stamps: inout [Stamp]
  ) -> Bool {
    guard depth <= deepest, stamps.count < most, let stamp = Stamp(of: path) else { return false }
    stamps.append(stamp)
    guard stamp.isFolder else { return true }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
    return names.filter(concerns).sorted().allSatisfy {
      look(at: path + "/" + $0, depth: depth + 1, into: &stamps)
    }
  }

  /// Reads the state of a family's files.
  init?(of place: FamilyPlace, at seconds: Int) {
    self.init(of: place.folder.path, taking: place.concerns, at: seconds)
  }

  /// A digest of the whole state.
  ///
  /// The device number isn't part of it: it may change with a restart of the machine.
  var digest: String {
    var digest = SHA256Digest()
    for stamp in stamps {
      let times = [stamp.modified, stamp.changed].map { "\($0.seconds).\($0.nanoseconds)" }
      let line = "\(stamp.path)\0\(stamp.inode) \(stamp.mode) \(stamp.size) \(times)\n"
      Array(line.utf8).withUnsafeBytes { digest.add($0) }
    }
    return digest.finish()
  }

  /// Whether the last change is old enough that another one would have another time.
  var isSettled: Bool { stamps.allSatisfy { $0.changed.seconds + Self.grain < seen } }

  /// Whether everything is unchanged.
  ///
  /// A new or removed name changes the time of its folder.
  var holds: Bool { stamps.allSatisfy { Stamp(of: $0.path) == $0 } }
}
