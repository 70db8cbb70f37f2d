internal import DecantReport
internal import FileNames
internal import Glibc

/// The stores of a run that are missing although their folder is there: they were removed, or their file system isn't
/// mounted here.
///
/// The run knows which file systems have stores only after it has looked at all stores. Until then, a missing store
/// waits if no store was found on the file system of its folder. Each store that waits needs about 150 bytes of memory.
struct MissingStores {
  private struct Waiting {
    var path: [UInt8]
    var device: dev_t
  }

  /// Whether the survey at the start found a store of the shard.
  private let findsStores: Bool
  /// The file systems of the stores that were found.
  private var devices: Set<dev_t>
  private var waiting: [Waiting] = []

  init(findsStores: Bool, device: dev_t?) {
    self.findsStores = findsStores
    devices = device.map { [$0] } ?? []
  }

  var isEmpty: Bool { waiting.isEmpty }

  mutating func note(found job: StoreJob) {
    if job.state != nil, let device = job.device { devices.insert(device) }
  }

  /// The failure of a missing store; `nil` if the store waits.
  ///
  /// - Parameter failure: The failure of a store that was removed.
  mutating func judge(_ job: StoreJob, _ failure: MigrationFailure) -> MigrationFailure? {
    if !findsStores, ByteFile.isEmpty(SourceFiles(path: job.path).folder) {
      return SourceFiles.notMounted(
        failure, "No store of the shard was there when the run began, and its folder is empty.")
    }
    guard let device = job.device, !devices.contains(device) else { return failure }
    waiting.append(Waiting(path: job.path.bytes, device: device))
    return nil
  }

  /// The next store that waits, with its failure.
  ///
  /// Call this method after the run has looked at all stores.
  mutating func next() -> (path: FileName, failure: MigrationFailure)? {
    guard let store = waiting.popLast() else { return nil }
    let failure = FileTrouble(store.path, "read", ENOENT).failureOfStore
    // If no store was found, there is no file system to compare with.
    guard !devices.isEmpty, !devices.contains(store.device) else {
      return (FileName(bytes: store.path), failure)
    }
    return (
      FileName(bytes: store.path),
      SourceFiles.notMounted(failure, "Its folder is on another file system than the stores that were found.")
    )
  }
}
