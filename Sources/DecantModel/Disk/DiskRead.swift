package import Foundation

/// Reads files and reports disk errors to `DiskWatch`; after a failure `errno` has the cause.
package enum DiskRead {
  /// Opens a file or folder for reading, without waiting for a FIFO's writer; the result is below 0 on failure.
  ///
  /// Sockets and missing devices fail with `ENOTSUP`: their own `ENXIO` and `ENODEV` would look like a failed disk.
  package static func open(_ path: String, _ flags: Int32) -> Int32 {
    let fault = DiskFaultPlan.pass(path)
    let descriptor = fault == 0 ? Foundation.open(path, flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1
    if descriptor < 0, fault == 0, [ENXIO, ENODEV].contains(errno), isNoFile(path, flags) {
      errno = ENOTSUP
    } else if descriptor < 0 {
      fail(path, fault)
    }
    return descriptor
  }

  /// Opens a regular file; a folder fails with `EISDIR`, and any other kind of file with `ENOTSUP`.
  package static func openFile(_ path: String, _ flags: Int32 = 0) -> Int32 {
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { return descriptor }
    var status = stat()
    if fstat(descriptor, &status) != 0 {
      DiskWatch.note(path, "looked at", errno)
    } else {
      guard status.st_mode & S_IFMT != S_IFREG else { return descriptor }
      errno = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENOTSUP
    }
    leave(descriptor)
    return -1
  }

  /// Whether a path names neither a regular file nor a folder; keeps `errno`.
  private static func isNoFile(_ path: String, _ flags: Int32) -> Bool {
    let code = errno
    defer { errno = code }
    var status = stat()
    let isThere = (flags & O_NOFOLLOW == 0 ? stat(path, &status) : lstat(path, &status)) == 0
    return isThere && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Reads at most `count` bytes from a descriptor; the result is below 0 on failure.
  package static func read(
    _ descriptor: Int32, into memory: UnsafeMutableRawPointer?, count: Int, of path: String
  ) -> Int {
    while true {
      let fault = DiskFaultPlan.pass(path)
      let done = fault == 0 ? Foundation.read(descriptor, memory, count) : -1
      if done < 0, fault == 0, errno == EINTR { continue }
      if done < 0 { fail(path, fault) }
      return done
    }
  }

  private static func fail(_ path: String, _ fault: Int32) {
    let code = fault == 0 ? errno : fault
    DiskWatch.note(path, "read", code)
    errno = code
  }

  /// The bytes of a regular file; links are followed.
  ///
  /// - Parameter limit: The largest accepted size in bytes.
  package static func contents(of path: String, limit: Int) throws(FileProblem) -> Data {
    let descriptor = openFile(path)
    guard descriptor >= 0 else {
      throw [ENOTSUP, EISDIR].contains(errno) ? .notAFile : .system(errno)
    }
    defer { leave(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
    var data = Data(capacity: max(0, Int(status.st_size)) + 1)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        read(descriptor, into: $0.baseAddress, count: $0.count, of: path)
      }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { return data }
      // The file may grow meanwhile, and files in /proc state no size.
      guard data.count + count <= limit else { throw .tooLarge(limit: limit) }
      data.append(contentsOf: buffer.prefix(count))
    }
  }

  /// The names in a folder, without “.” and “..”; `nil` if it can't be listed.
  package static func names(in folder: String) -> [String]? {
    let descriptor = open(folder, O_DIRECTORY)
    guard descriptor >= 0 else { return nil }
    guard let stream = fdopendir(descriptor) else {
      leave(descriptor)
      return nil
    }
    defer {
      let code = errno
      closedir(stream)
      errno = code
    }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno != 0 else { return names }
        DiskWatch.note(folder, "listed", errno)
        return nil
      }
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      let name = String(decoding: bytes, as: UTF8.self)
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Closes a descriptor without changing `errno`.
  private static func leave(_ descriptor: Int32) {
    let code = errno
    close(descriptor)
    errno = code
  }
}
