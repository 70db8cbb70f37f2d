internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantStore
internal import Dispatch
internal import Foundation
internal import PredicateFormat
internal import Synchronization

/// Reads a store's files for their digests: the source's during the migration, and the result's after it.
///
/// A class, because it works until it is asked for the digests or cancelled.
final class FilesDigest: Sendable {
  /// The number of bytes per read.
  private static let piece = 1 << 20

  private let group = DispatchGroup()
  private let isOver = Atomic(false)
  private let outcome = Mutex<Result<MigrationReport.Files, StoreError>?>(nil)

  /// Begins to read a store's files on a separate queue.
  init(of store: URL) {
    DispatchQueue(label: "decant.digest").async(group: group) { [self] in
      let found = Result { () throws(StoreError) in
        try Self.files(of: store, orUntil: { self.isOver.load(ordering: .relaxed) })
      }
      outcome.withLock { $0 = found }
    }
  }

  /// Waits for the digests.
  ///
  /// - Parameter goesOn: Asked about once a second; false ends the reading.
  /// - Throws: `StoreError` for a file that can't be read; `StepFailure.stopped`.
  func files(while goesOn: () -> Bool) throws -> MigrationReport.Files {
    while group.wait(timeout: .now() + 1) == .timedOut {
      guard goesOn() else {
        cancel()
        throw StepFailure.stopped
      }
    }
    guard let found = outcome.withLock({ $0 }) else { throw StepFailure.stopped }
    return try found.get()
  }

  /// Ends the reading and waits until the files are no longer read.
  func cancel() {
    isOver.store(true, ordering: .relaxed)
    group.wait()
  }

  /// Reads a store's files and waits for the digests.
  ///
  /// - Parameters:
  ///   - file: The path of the store's file if it isn't in its place yet, else `nil`.
  ///   - goesOn: Asked before each piece; false ends the reading.
  /// - Throws: `StoreError` for a file that can't be read; `StepFailure.stopped`.
  static func files(
    of store: URL, lyingAt file: String? = nil, while goesOn: () -> Bool
  ) throws -> MigrationReport.Files {
    var isOver = false
    let files = try files(
      of: store, lyingAt: file,
      orUntil: {
        isOver = isOver || !goesOn()
        return isOver
      })
    // The digests are incomplete.
    guard !isOver else { throw StepFailure.stopped }
    return files
  }

  private static func files(
    of store: URL, lyingAt place: String? = nil, orUntil isOver: () -> Bool
  ) throws(StoreError) -> MigrationReport.Files {
    let path = place ?? store.path
    guard let own = try file(path, isOver) else { throw FileCopy.failure(path, "read") }
    let external = try ExternalData(store: store).content()
    return MigrationReport.Files(
      bytes: own.bytes, sha256: own.sha256, wal: try file(store.path + "-wal", isOver),
      journal: try file(store.path + "-journal", isOver), externalFiles: external.files,
      externalBytes: external.bytes)
  }

  /// Reads one file; `nil` if it doesn't exist.
  private static func file(
    _ path: String, _ isOver: () -> Bool
  ) throws(StoreError) -> MigrationReport.File? {
    let descriptor = DiskRead.openFile(path)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw FileCopy.failure(path, "read")
    }
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
