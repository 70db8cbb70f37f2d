package import FileNames
internal import Glibc

/// The largest number of levels of a tree that is read.
package let deepestTree = 32

extension FolderHandle {
  /// Removes a name and everything below it.
  ///
  /// Does nothing if the name doesn't exist.
  package func removeTree(_ name: FileName, depth: Int = 0) throws(FileFailure) {
    guard let status = try status(name) else { return }
    guard status.kind == .folder else { return try remove(name) }
    guard depth < deepestTree else { throw FileFailure("remove", path(of: name), ELOOP) }
    let inner = try folder(name)
    for entry in try inner.names() { try inner.removeTree(entry, depth: depth + 1) }
    try FaultPlan.pass("remove", path(of: name))
    let code = name.bytes.withNullTerminated { unlinkat(descriptor, $0, AT_REMOVEDIR) }
    guard code == 0 || errno == ENOENT else { throw FileFailure("remove", path(of: name)) }
  }

  /// The sum of the file sizes in a name's tree, and a digest of names, kinds, sizes and write times.
  ///
  /// The digest excludes the ctime, because a rename by the daemon changes the ctime.
  ///
  /// - Parameter former: The tree's name before it was renamed; the digest contains this name.
  package func measure(_ name: String, as former: String? = nil) throws(FileFailure)
    -> (bytes: Int64, fingerprint: Fingerprint)
  {
    var bytes: Int64 = 0
    var fingerprint = Fingerprint()
    try measure(
      FileName(name), as: FileName(former ?? name), depth: 0, bytes: &bytes, fingerprint: &fingerprint)
    return (bytes, fingerprint)
  }

  /// Adds the number of names of each file below the folder to `found`, by inode.
  package func countNames(_ found: inout [UInt64: Int], depth: Int = 0) throws(FileFailure) {
    guard depth < deepestTree else { throw FileFailure("read", path, ELOOP) }
    for name in try names() {
      guard let status = try status(name) else { continue }
      if status.kind == .folder {
        try folder(name).countNames(&found, depth: depth + 1)
      } else {
        found[status.inode, default: 0] += 1
      }
    }
  }

  /// The bytes that the files of a name's tree take on the disk; 0 if the name doesn't exist.
  package func takenBytes(_ name: FileName, depth: Int = 0) throws(FileFailure) -> Int64 {
    guard let status = try status(name) else { return 0 }
    guard depth < deepestTree else { throw FileFailure("read", path(of: name), ELOOP) }
    guard status.kind == .folder else { return max(0, status.takenBytes) }
    let inner = try folder(name)
    var taken: Int64 = 0
    for entry in try inner.names() {
      let (sum, overflow) = taken.addingReportingOverflow(try inner.takenBytes(entry, depth: depth + 1))
      taken = overflow ? Int64.max : sum
    }
    return taken
  }

  private func measure(
    _ name: FileName, as former: FileName, depth: Int, bytes: inout Int64, fingerprint: inout Fingerprint
  ) throws(FileFailure) {
    guard let status = try status(name) else { return }
    guard depth < deepestTree else { throw FileFailure("read", path(of: name), ELOOP) }
    fingerprint.add(former)
    fingerprint.add(status.kind.rawValue)
    guard status.kind == .folder else {
      // A sparse file may have any size, so the sum may overflow.
      let (sum, overflow) = bytes.addingReportingOverflow(status.size)
      bytes = overflow ? Int64.max : sum
      fingerprint.add(status.size)
      fingerprint.add(status.modified)
      return
    }
    let inner = try folder(name)
    for entry in try inner.names().sorted() {
      try inner.measure(entry, as: entry, depth: depth + 1, bytes: &bytes, fingerprint: &fingerprint)
    }
  }
}

extension [UInt8] {
  func withNullTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (self + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else {
        var zero: CChar = 0
        return body(&zero)
      }
      return body(base)
    }
  }
}
