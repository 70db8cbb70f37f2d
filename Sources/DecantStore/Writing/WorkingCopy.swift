internal import CLinux
internal import DecantModel
internal import Foundation

/// Copies a source store to the place of a working file; an interrupted copy is resumed.
///
/// The file system shares the blocks if it can. If not, the kernel copies them. If the kernel can't, Decant reads and
/// writes them.
package struct WorkingCopy {
  /// The number of bytes that are copied between two calls of `goesOn`.
  var piece = 4 << 20
  /// The number of bytes after which the copy is synced and its size is noted.
  var stretch = 64 << 20
  /// Whether the file system may share the blocks of both files.
  var sharesBlocks = true

  private let source: String
  private let destination: String
  private let identity: String

  /// The files that a copy to this path leaves behind when it is interrupted.
  package static func leftovers(of destination: String) -> [String] {
    [partial(destination), note(destination)]
  }

  private static func partial(_ destination: String) -> String { destination + "-copy" }
  private static func note(_ destination: String) -> String { destination + "-copied" }

  /// - Parameter identity: The digest of the step's inputs. An interrupted copy with another digest isn't resumed.
  package init(of source: String, to destination: String, identity: String) {
    self.source = source
    self.destination = destination
    self.identity = identity
  }

  /// Makes the copy; its header states the rollback journal mode.
  ///
  /// - Parameter goesOn: Asked every few megabytes; false ends the copying.
  /// - Throws: `StoreError.files`, `disk` or `truncated`; `StoreError.stopped(path:)` if `goesOn` ended the copying.
  package func make(while goesOn: () -> Bool) throws(StoreError) {
    let input = DiskRead.openFile(source, O_NOFOLLOW)
    guard input >= 0 else { throw FileCopy.failure(source, "read") }
    defer { close(input) }
    var status = stat()
    guard fstat(input, &status) == 0 else { throw FileCopy.failure(source, "read") }
    let partial = Self.partial(destination)
    let output = open(partial, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard output >= 0 else { throw FileCopy.failure(partial, "created") }
    defer { close(output) }
    var done = notedSize
    guard ftruncate(output, off_t(done)) == 0 else { throw FileCopy.failure(partial, "written") }
    if done == 0, sharesBlocks, decant_share_blocks(input, output) == 0 { done = Int(status.st_size) }
    var usesKernel = true
    while done < status.st_size {
      guard goesOn() else { throw .stopped(path: destination) }
      let end = min(Int(status.st_size), (done / stretch + 1) * stretch)
      let count = min(piece, end - done)
      let fault = DiskFaultPlan.pass(source)
      guard fault == 0 else { throw FileCopy.failure(source, "read", fault) }
      var copied = usesKernel ? decant_copy_range(input, output, off_t(done), count) : -1
      if copied < 0 {
        // Reading and writing finds out which of the two files fails.
        usesKernel = false
        copied = try copy(input, output, at: done, count)
      }
      guard copied > 0 else { throw .truncated(path: source, expected: Int(status.st_size), actual: done) }
      // The disk writes while the next pieces are copied, so the last sync takes less time.
      decant_begin_writing(output, off_t(done), off_t(copied))
      done += copied
      if done % stretch == 0, done < status.st_size { try note(done, of: output) }
    }
    // Opening a copy in write-ahead mode would make further files (SQLite's file format, 1.3.3).
    guard pwrite(output, [UInt8]([1, 1]), 2, 18) == 2 else { throw FileCopy.failure(partial, "written") }
    guard rename(partial, destination) == 0 else { throw FileCopy.failure(destination, "created") }
    unlink(Self.note(destination))
  }

  private func copy(
    _ input: Int32, _ output: Int32, at place: Int, _ count: Int
  ) throws(StoreError) -> Int {
    var buffer = [UInt8](repeating: 0, count: min(count, 1 << 18))
    guard lseek(input, off_t(place), SEEK_SET) >= 0 else { throw FileCopy.failure(source, "read") }
    let read = buffer.withUnsafeMutableBytes {
      DiskRead.read(input, into: $0.baseAddress, count: $0.count, of: source)
    }
    guard read >= 0 else { throw FileCopy.failure(source, "read") }
    var written = 0
    while written < read {
      let part = buffer.withUnsafeBytes {
        pwrite(output, $0.baseAddress?.advanced(by: written), read - written, off_t(place + written))
      }
      if part < 0, errno == EINTR { continue }
      guard part > 0 else { throw FileCopy.failure(Self.partial(destination), "written") }
      written += part
    }
    return read
  }

  /// Syncs the copy, and notes the size that is on the disk.
  private func note(_ size: Int, of output: Int32) throws(StoreError) {
    guard fdatasync(output) == 0 else {
      throw FileCopy.failure(Self.partial(destination), "made durable")
    }
    // Without the note a resumed run copies these bytes again.
    try? Data("\(size) \(identity)".utf8).write(to: URL(fileURLWithPath: Self.note(destination)))
  }

  /// The size in bytes that an interrupted copy of the same source certainly has; 0 if there is no such copy.
  private var notedSize: Int {
    var status = stat()
    guard lstat(Self.partial(destination), &status) == 0,
      let data = try? DiskRead.contents(of: Self.note(destination), limit: 1 << 12)
    else { return 0 }
    let words = String(decoding: data, as: UTF8.self).split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[1] == identity, let size = Int(words[0]),
      (0...Int(status.st_size)).contains(size)
    else {
      return 0
    }
    return size
  }
}
