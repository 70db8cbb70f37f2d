internal import DecantMigration
internal import Glibc

/// A worker's hold on its note: writing to it is writing to memory, because it is done for each object.
///
/// `@unchecked Sendable`: one job at a time writes.
package final class WorkNoteWriter: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer?

  /// That there is no note, or that it can't be written, stops nothing.
  package init(_ note: WorkNote) {
    let mapped = mmap(nil, WorkPlace.recordLimit, PROT_READ | PROT_WRITE, MAP_SHARED, note.descriptor, 0)
    // A file that is shorter than what is mapped would end the process.
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

  /// Writes where the work is.
  ///
  /// - Parameters:
  ///   - record: As `WorkPlace.record`.
  ///   - start: The first byte that isn't as in the record before.
  package func write(_ record: [UInt8], from start: Int = 0) {
    guard let memory else { return }
    record.withUnsafeBytes { bytes in
      let end = min(bytes.count, WorkPlace.recordLimit)
      guard start < end, let first = bytes.baseAddress else { return }
      (memory + start).copyMemory(from: first + start, byteCount: end - start)
    }
  }
}
