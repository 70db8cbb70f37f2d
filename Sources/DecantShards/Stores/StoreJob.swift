internal import DecantReport
internal import FileNames
internal import Foundation

/// One store that a shard is migrating.
struct StoreJob: Sendable {
  let path: FileName
  let key: PathKey
  /// The store's folder in the scratch folder.
  let scratch: String
  var digests: SourceFiles.Digests?
  /// The state of the source when the run looked at it; `nil` if the source wasn't there.
  var state: String?
  /// The file system of the source's folder.
  var device: dev_t?
  /// The mark of the receipt that the output had for the store when the run looked at the store; `nil` if it had none.
  var held: PathKey?
  /// The access rights of the source; its result gets the same rights.
  var access: StoreAccess?
  /// Attempts that ended with a worker's death or with a fault.
  var strikes = 0
  /// Whether the store was begun when the scratch folder had no other store.
  var isAlone = false
  /// How often the store was given to another worker, or given back by a worker.
  var handOvers = 0
  /// The worker that migrates the store; `nil` for Decant's own.
  var worker: String?
  /// The seconds of the finished parts of the job: copying, migration, delivery.
  var seconds = 0.0
  /// When the current part began.
  var begun = ContinuousClock.now

  init(_ path: FileName, key: PathKey, scratch: String) {
    self.path = path
    self.key = key
    self.scratch = scratch
  }

  var id: String { key.hex }
  var sourceFolder: String { scratch + "/source" }
  var outputFolder: String { scratch + "/output" }
  var workFolder: String { scratch + "/work" }
  /// The file that says from which state of the source the copy was made.
  var note: String { scratch + "/source.json" }
  var source: String { sourceFolder + "/" + name.text }
  var output: String { outputFolder + "/" + name.text }

  /// The store's name in the scratch folder: its own name if that is text and leaves room for endings.
  var name: FileName {
    let own = SourceFiles(path: path).name
    return own.isText && own.bytes.count <= StoreNames.longestName ? own : FileName("\(id).sqlite")
  }

  mutating func begin() { begun = .now }
  mutating func end() { seconds += begun.duration(to: .now) / .seconds(1) }

  /// The failure with the store's own path in place of the path in the scratch folder.
  func withoutScratch(_ failure: MigrationFailure) -> MigrationFailure {
    func cleaned(_ text: String) -> String {
      text.replacingOccurrences(of: source, with: path.description)
        .replacingOccurrences(of: sourceFolder + "/", with: "")
    }
    var failure = failure
    failure.message = cleaned(failure.message)
    failure.details = failure.details.map(cleaned)
    failure.advice = cleaned(failure.advice)
    return failure
  }

  /// Whether a worker has left work that another one can continue.
  var hasWork: Bool { !(ByteFile.entries(of: Array(workFolder.utf8)) ?? []).isEmpty }

  /// Removes the store's files from the scratch folder.
  ///
  /// If a file stays, the next copy of the store fails with the reason.
  func clear() { try? FileManager.default.removeItem(atPath: scratch) }
}
