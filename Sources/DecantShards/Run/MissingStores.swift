internal import DecantReport
internal import FileNames
internal import Glibc

/// The stores of a run that are missing from a folder that is there: they were removed, or their file system isn't mounted
/// here.
///
/// Which file systems have stores is known for certain when the run has looked at all stores. A store whose folder is on
/// another one waits until then. Memory is some 150 bytes for each store that waits.
struct MissingStores {
  private struct Waiting {
    var path: [UInt8]
    var device: dev_t
  }

  /// Whether the survey found a store of the shard in its place.
  private let findsStores: Bool
  /// The file systems of the stores that were found.
  private var devices: Set<dev_t>
  private var waiting: [Waiting] = []

  init(findsStores: Bool, device: dev_t?) {
    self.findsStores = findsStores
    devices = device.map { [$0] } ?? []
  }

  var isEmpty: Bool { waiting.isEmpty }

  /// Notes the file system of a store that is there.
  mutating func note(found job: StoreJob) {
    if job.state != nil, let device = job.device { devices.insert(device) }
  }

  /// The failure of a missing store; `nil` if it waits.
  ///
  /// - Parameter failure: That of a store that was removed.
  mutating func judge(_ job: StoreJob, _ failure: MigrationFailure) -> MigrationFailure? {
    if !findsStores, ByteFile.isEmpty(SourceFiles(path: job.path).folder) {
      return SourceFiles.notMounted(
        failure, "No store of the shard was there when the run began, and its folder is empty.")
    }
    guard let device = job.device, !devices.contains(device) else { return failure }
    waiting.append(Waiting(path: job.path.bytes, device: device))
    return nil
  }

  /// The next one of the stores that wait, with its failure, when the run has looked at all stores.
  mutating func next() -> (path: FileName, failure: MigrationFailure)? {
    guard let store = waiting.popLast() else { return nil }
    let failure = FileTrouble(store.path, "read", ENOENT).failureOfStore
    // If no store was found, no file system is known, and so none is another one.
    guard !devices.isEmpty, !devices.contains(store.device) else {
      return (FileName(bytes: store.path), failure)
    }
    return (
      FileName(bytes: store.path),
      SourceFiles.notMounted(failure, "Its folder is on another file system than the stores that were found.")
    )
  }
}
