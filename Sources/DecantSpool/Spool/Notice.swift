internal import FileAccess
package import FileNames
internal import Foundation
internal import Glibc

/// A text file in `incoming/` beside a drop that can't be taken, for the person who dropped it.
///
/// This person may have no access to the daemon's log and socket.
package struct Notice: Sendable, Hashable {
  static let suffix = ".not-taken.txt"
  /// The first words of each notice.
  ///
  /// These words distinguish a notice from a drop.
  fileprivate static let mark = "Decant hasn't taken this drop: "
  /// The longest name in bytes with which a notice's name begins.
  ///
  /// A longer name is cut, and a digest distinguishes it from other names that begin in the same way.
  private static let longestStart = 200

  package let name: String
  let text: String

  /// - Parameter obstacles: Why the drop can't be taken; not empty.
  package init(_ drop: FileName, _ obstacles: [Obstacle]) {
    let printed = drop.description
    var start = printed
    if printed.utf8.count > Self.longestStart {
      var digest = Fingerprint()
      digest.add(printed)
      start = "\(String(decoding: printed.utf8.prefix(Self.longestStart - 20), as: UTF8.self))-\(digest.text)"
    }
    name = start + Self.suffix
    var lines = ["\(Self.mark)“\(printed)”."]
    for obstacle in obstacles.prefix(20) {
      lines += ["", obstacle.message]
      if !obstacle.command.isEmpty { lines += ["Fix it with:", "  " + obstacle.command] }
    }
    lines += ["", "Decant checks the drop again, and removes this notice when the reason is gone."]
    text = lines.joined(separator: "\n") + "\n"
  }
}

extension FolderHandle {
  /// Whether a file is a notice that this process's user wrote.
  func isNotice(_ name: FileName, _ status: FileStatus?) -> Bool {
    guard name.isText, name.hasSuffix(Notice.suffix), let status, status.kind == .file, status.links == 1,
      status.owner == geteuid()
    else { return false }
    let file = openat(descriptor, name.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var start = [UInt8](repeating: 0, count: Notice.mark.utf8.count)
    return Glibc.read(file, &start, start.count) == start.count && start.elementsEqual(Notice.mark.utf8)
  }

  /// Writes a notice; a file of that name that isn't a notice of this user stays.
  ///
  /// - Returns: Whether the folder has the notice now.
  package func write(_ notice: Notice) -> Bool {
    if let found = try? status(notice.name) {
      guard isNotice(FileName(notice.name), found), remove(noticeNamed: notice.name) else { return false }
    }
    let file = openat(
      descriptor, notice.name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    let bytes = Array(notice.text.utf8)
    // Only the folder's mode limits who may read the notice; the umask and the folder's access list must not.
    guard Glibc.write(file, bytes, bytes.count) == bytes.count, fchmod(file, 0o644) == 0 else {
      _ = remove(noticeNamed: notice.name)
      return false
    }
    _ = AccessList(mode: 0o644).apply(to: file)
    return true
  }

  /// Removes a notice of this user; false if the file isn't such a notice, or can't be removed.
  package func remove(noticeNamed name: String) -> Bool {
    guard isNotice(FileName(name), try? status(name)) else { return false }
    return unlinkat(descriptor, name, 0) == 0
  }
}
