internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantStore
internal import Foundation
internal import PredicateFormat

/// Reads a store's files for their digests.
enum FilesDigest {
  /// The number of bytes per read.
  private static let piece = 1 << 20

  /// Begins to read a store's files.
  ///
  /// - Parameter opened: The same store, if it is open. Its scan comes first, because the job waits for this scan.
  static func reading(of store: URL, _ opened: SourceStore? = nil) -> ParallelReading<MigrationReport.Files> {
    ParallelReading { isOver throws(StoreError) in
      opened?.awaitScan { !isOver() }
      return try files(of: store, orUntil: isOver)
    }
  }

  /// Begins to read one file; the file may be renamed meanwhile.
  static func reading(file path: String) throws(StoreError) -> ParallelReading<MigrationReport.File> {
    let descriptor = DiskRead.openFile(path)
    guard descriptor >= 0 else { throw FileCopy.failure(path, "read") }
    return ParallelReading { isOver throws(StoreError) in try file(path, descriptor, isOver) }
  }

  /// Reads a store's files and waits for the digests.
  ///
  /// - Parameters:
  ///   - own: The size and digest of the store's file, if they are known; with `nil` the file is read.
  ///   - goesOn: Asked before each piece; false ends the reading.
  /// - Throws: `StoreError` for a file that can't be read; `StepFailure.stopped`.
  static func files(
    of store: URL, own: MigrationReport.File? = nil, while goesOn: () -> Bool
  ) throws -> MigrationReport.Files {
    var isOver = false
    let files = try files(
      of: store, own: own,
      orUntil: {
        isOver = isOver || !goesOn()
        return isOver
      })
    // If the reading was ended, the digests are incomplete.
    guard !isOver else { throw StepFailure.stopped }
    return files
  }

  private static func files(
    of store: URL, own known: MigrationReport.File? = nil, orUntil isOver: () -> Bool
  ) throws(StoreError) -> MigrationReport.Files {
    var own = known
    if own == nil { own = try file(store.path, isOver) }
    guard let own else { throw FileCopy.failure(store.path, "read") }
    let external = try ExternalData(store: store).content()
    return MigrationReport.Files(
      bytes: own.bytes, sha256: own.sha256, wal: try file(store.path + "-wal", isOver),
      journal: try file(store.path + "-journal", isOver), externalFiles: external.files,
      externalBytes: external.bytes)
  }

  private static func file(
    _ path: String, _ isOver: () -> Bool
  ) throws(StoreError) -> MigrationReport.File? {
    let descriptor = DiskRead.openFile(path)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw FileCopy.failure(path, "read")
    }
    return try file(path, descriptor, isOver)
  }

  /// Reads an open file and closes it.
  private static func file(
    _ path: String, _ descriptor: Int32, _ isOver: () -> Bool
  ) throws(StoreError) -> MigrationReport.File {
    defer { close(descriptor) }
    // The whole file is read once, from its start, so the kernel may read far ahead.
    _ = posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_SEQUENTIAL))
    var digest = SHA256Digest()
    var bytes = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 16)
    defer { buffer.deallocate() }
    while !isOver() {
      let count = DiskRead.read(descriptor, into: buffer.baseAddress, count: buffer.count, of: path)
      guard count >= 0 else { throw FileCopy.failure(path, "read") }
      if count == 0 { break }
      digest.add(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
      bytes += count
    }
    return MigrationReport.File(bytes: bytes, sha256: digest.finish())
  }
}
