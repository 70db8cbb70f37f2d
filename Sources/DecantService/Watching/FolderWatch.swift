package import FileNames
internal import Glibc

/// The kernel's hints about a folder (inotify).
///
/// Hints only tell when to scan; the scan decides.
package final class FolderWatch {
  package enum Hint: Sendable, Hashable {
    /// A folder or file arrived complete, by rename.
    case movedIn(FileName)
    /// A name was created, or its file was written, or its rights changed.
    case changed(FileName)
    /// A name went away, usually by the daemon's own claim.
    case gone(FileName)
    /// Events were lost, or the folder isn't watched any more.
    case everything
  }

  package private(set) var descriptor: Int32 = -1
  private let path: String

  /// If the kernel gives no watch, the descriptor stays -1 and only scans find drops.
  package init(path: String) {
    self.path = path
    open()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package var isWatching: Bool { descriptor >= 0 }

  private func open() {
    let new = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard new >= 0 else { return }
    let mask =
      IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
      | IN_MOVE_SELF
    guard inotify_add_watch(new, path, UInt32(mask)) >= 0 else {
      close(new)
      return
    }
    descriptor = new
  }

  /// Gives the hints since the last call; never blocks.
  package func takeHints(_ take: (Hint) -> Void) {
    guard descriptor >= 0 else {
      open()
      if descriptor >= 0 { take(.everything) }
      return
    }
    var isDoubtful = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // Limited, so that many events can't block the loop.
    for _ in 0..<64 {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      buffer.withUnsafeBytes { raw in
        Self.parse(UnsafeRawBufferPointer(rebasing: raw[..<count])) { hint in
          if hint == .everything { isDoubtful = true }
          take(hint)
        }
      }
    }
    guard isDoubtful, descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    open()
  }

  private static func parse(_ raw: UnsafeRawBufferPointer, _ take: (Hint) -> Void) {
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= raw.count {
      let mask = raw.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      let length = Int(raw.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
      let end = offset + header + length
      guard end <= raw.count else { return }
      let name = FileName(bytes: Array(raw[(offset + header)..<end].prefix(while: { $0 != 0 })))
      let lost = IN_Q_OVERFLOW | IN_IGNORED | IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF
      if mask & UInt32(lost) != 0 {
        take(.everything)
      } else if mask & UInt32(IN_MOVED_TO) != 0 {
        take(.movedIn(name))
      } else if mask & UInt32(IN_MOVED_FROM | IN_DELETE) != 0 {
        take(.gone(name))
      } else {
        take(.changed(name))
      }
      offset = end
    }
  }
}
