internal import CLinux
package import DecantMigration
internal import Glibc

/// A file in memory that a worker and its supervisor share: where the worker is at work, readable when it is gone.
package struct WorkNote: Sendable, Hashable {
  package let descriptor: Int32

  /// A note of another process, by a descriptor that was handed down.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// A new note; `nil` where the system has none to give.
  package init?() {
    let descriptor = decant_memory_file("decant-place")
    guard descriptor >= 0 else { return nil }
    _ = ftruncate(descriptor, WorkPlace.recordLimit)
    self.init(descriptor: descriptor)
  }

  /// Where the work is, or was when the worker ended.
  package var place: WorkPlace? {
    var bytes = [UInt8](repeating: 0, count: WorkPlace.recordLimit)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count > 0 ? WorkPlace(record: bytes.prefix(count)) : nil
  }
}
