internal import DecantMigration
internal import DecantReport
internal import Glibc

/// The worker's side of its `WorkNote`.
///
/// The writer writes directly to memory, because it writes for each object.
///
/// `@unchecked Sendable`: one job at a time writes.
package final class WorkNoteWriter: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer?

  /// If the note can't be mapped into memory, the writer records nothing, and the work continues.
  package init(_ note: WorkNote) {
    let mapped = mmap(nil, WorkPlace.recordLimit, PROT_READ | PROT_WRITE, MAP_SHARED, note.descriptor, 0)
    // If the file were shorter than the mapping, a write would end the process.
    var status = stat()
    let isWhole = fstat(note.descriptor, &status) == 0 && status.st_size >= WorkPlace.recordLimit
    if mapped == MAP_FAILED {
      memory = nil
    } else if isWhole {
      memory = mapped
    } else {
      munmap(mapped, WorkPlace.recordLimit)
      memory = nil
    }
  }

  deinit { if let memory { munmap(memory, WorkPlace.recordLimit) } }

  /// Writes the place of the work.
  ///
  /// - Parameter start: The first byte that differs from the last record.
  package func write(_ record: [UInt8], from start: Int = 0) {
    guard let memory else { return }
    record.withUnsafeBytes { bytes in
      let end = min(bytes.count, WorkPlace.recordLimit)
      guard start < end, let first = bytes.baseAddress else { return }
      (memory + start).copyMemory(from: first + start, byteCount: end - start)
    }
  }
}
