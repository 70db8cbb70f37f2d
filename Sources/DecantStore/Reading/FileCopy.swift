internal import DecantModel
internal import FileNames
package import Foundation

/// Copies, syncs and removes files, with errors that an administrator understands.
package enum FileCopy {
  /// Copies a regular file to a path that doesn't exist yet; a link is not followed.
  ///
  /// - Parameters:
  ///   - keepsPermissions: Whether the copy gets the source's permissions to read and write; if not, only its owner
  ///     may read and write it.
  ///   - goesOn: Called every few megabytes; false ends the copying.
  /// - Throws: `StoreError.files` or `disk` with the errno; `StoreError.stopped(path:)` if `goesOn` ended the copying.
  ///   A partial copy is removed.
  package static func copy(
    _ source: String, to destination: String, keepsPermissions: Bool = false,
    while goesOn: () -> Bool = { true }
  ) throws(StoreError) {
    let input = DiskRead.openFile(source, O_NOFOLLOW)
    guard input >= 0 else { throw failure(source, "read") }
    defer { close(input) }
    let output = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw failure(destination, "created") }
    defer { close(output) }
    var status = stat()
    if keepsPermissions, fstat(input, &status) == 0 {
      // A file system without permissions is accepted.
      _ = fchmod(output, status.st_mode & 0o666 | 0o400)
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    for piece in 0... {
      guard piece % 16 != 0 || goesOn() else {
        unlink(destination)
        throw .stopped(path: destination)
      }
      let count = buffer.withUnsafeMutableBytes {
        DiskRead.read(input, into: $0.baseAddress, count: $0.count, of: source)
      }
      if count == 0 { return }
      guard count > 0 else {
        let problem = failure(source, "read")
        unlink(destination)
        throw problem
      }
      let problem = buffer.withUnsafeBytes {
        put(UnsafeRawBufferPointer(rebasing: $0.prefix(count)), into: output, of: destination)
      }
      if let problem { throw problem }
    }
  }

  /// Writes a file that doesn't exist yet.
  ///
  /// - Parameter change: Bytes that replace those of `data` from `place` on.
  /// - Throws: `StoreError.files` or `disk` with the errno; a partial file is removed.
  static func makeFile(
    _ destination: String, holding data: UnsafeRawBufferPointer,
    changing change: (place: Int, bytes: [UInt8])? = nil
  ) throws(StoreError) {
    let output = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard output >= 0 else { throw failure(destination, "created") }
    defer { close(output) }
    if let problem = put(data, into: output, of: destination) { throw problem }
    guard let change, data.count >= change.place + change.bytes.count else { return }
    guard pwrite(output, change.bytes, change.bytes.count, off_t(change.place)) == change.bytes.count else {
      let error = failure(destination, "written")
      unlink(destination)
      throw error
    }
  }

  /// Writes a file that may exist already, and makes its content durable.
  ///
  /// - Throws: `StoreError` with the errno.
  package static func makeDurable(_ data: Data, at path: String) throws(StoreError) {
    let output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard output >= 0 else { throw failure(path, "created") }
    defer { close(output) }
    if let problem = data.withUnsafeBytes({ put($0, into: output, of: path) }) { throw problem }
    guard fsync(output) == 0 else { throw failure(path, "made durable") }
  }

  /// Writes all bytes.
  ///
  /// If that fails, the file is removed and the error is returned.
  private static func put(_ bytes: UnsafeRawBufferPointer, into output: Int32, of destination: String)
    -> StoreError?
  {
    var written = 0
    while written < bytes.count {
      let part = write(output, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      if part < 0, errno == EINTR { continue }
      guard part > 0 else {
        let error = failure(destination, "written")
        unlink(destination)
        return error
      }
      written += part
    }
    return nil
  }

  /// Removes a file, or a folder with its content.
  ///
  /// - Throws: `StoreError` with the errno.
  package static func remove(_ path: String) throws(StoreError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? EIO
      throw failure(path, "removed", code)
    }
  }

  /// Makes a file's content, or a folder's entries, durable.
  ///
  /// - Throws: `StoreError.files` or `disk` with the errno.
  package static func sync(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, "opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(path, "made durable") }
  }

  /// Makes a folder and the missing folders above it.
  ///
  /// - Throws: `StoreError.files` or `disk` with the errno.
  package static func makeFolder(_ path: String) throws(StoreError) {
    guard mkdir(path, 0o777) != 0 else { return }
    var status = stat()
    switch errno {
    case EEXIST where stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR: return
    case ENOENT:
      let parent = PathText.folder(of: path)
      guard parent != ".", parent != path else { throw failure(path, "made") }
      try makeFolder(parent)
      guard mkdir(path, 0o777) == 0 else { throw failure(path, "made") }
    default: throw failure(path, "made")
    }
  }

  /// The error of the last system call.
  ///
  /// - Parameter action: The operation that failed, as text after “can't be”.
  package static func failure(_ path: String, _ action: String) -> StoreError {
    failure(path, action, errno)
  }

  /// The error of a system call.
  ///
  /// - Parameters:
  ///   - action: The operation that failed, as text after “can't be”.
  ///   - code: The errno.
  package static func failure(_ path: String, _ action: String, _ code: Int32) -> StoreError {
    DiskWatch.note(path, action, code)
    return DiskFailure.isOne(code)
      ? .disk(DiskFailure(path: path, action: action, code: code))
      : .files(path: path, action: action, errno: code, reason: String(cString: strerror(code)))
  }
}
