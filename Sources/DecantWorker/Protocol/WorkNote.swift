internal import CLinux
internal import DecantMigration
package import DecantReport
internal import Glibc

/// A file in memory that a worker and its supervisor share.
///
/// The file holds the place of the work, and can be read after the worker's end.
package struct WorkNote: Sendable, Hashable {
  package let descriptor: Int32

  /// Another process's note, from an inherited descriptor.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// A new note; `nil` if the system can't create one.
  package init?() {
    let descriptor = decant_memory_file("decant-place")
    guard descriptor >= 0 else { return nil }
    _ = ftruncate(descriptor, WorkPlace.recordLimit)
    self.init(descriptor: descriptor)
  }

  /// The place of the work, also after the worker's end; `nil` if none is recorded.
  package var place: WorkPlace? {
    var bytes = [UInt8](repeating: 0, count: WorkPlace.recordLimit)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count > 0 ? WorkPlace(record: bytes.prefix(count)) : nil
  }
}
