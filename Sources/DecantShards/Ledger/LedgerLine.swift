package import FileNames
internal import PredicateFormat

/// One store in a ledger: a line of JSON with sorted keys.
package struct LedgerLine: Sendable, Hashable, Codable {
  package enum Result: String, Sendable, Codable, CaseIterable {
    /// The store was migrated.
    case done
    /// The store had the target version already, and was copied.
    case current
    /// The store can't be migrated as it is.
    case refused
    /// The store may be migrated later: the reason may pass or be removed.
    case later
  }

  /// The files beside the store: `-wal`, `-journal` and external data.
  package struct Companions: Sendable, Hashable, Codable {
    package var files: Int
    package var bytes: Int
    /// The SHA-256 of the files' names, sizes and contents.
    package var sha256: String
  }

  /// The path; for one that isn't UTF-8, its form in messages.
  package var path: String
  /// The path's bytes in Base64, if it isn't UTF-8.
  package var pathBytes: String?
  /// The source file's size and SHA-256; `nil` if the file couldn't be read.
  package var size: Int?
  package var sha256: String?
  /// `nil` if there are no such files, or if the source couldn't be read.
  package var companions: Companions?
  /// A digest of the catalogue and of the options that change results.
  package var settings: String
  package var family: String?
  package var from: String?
  package var to: String?
  package var result: Result
  /// The result's path within the output folder.
  package var output: String?
  /// The result's path in Base64, if it isn't UTF-8.
  package var outputBytes: String?
  /// The time from the copying of the store until its result was durable, without the time in which the store waited
  /// for a worker.
  package var seconds: Double
  /// The number of source objects in the first step; 0 for `current`, and `nil` for a store without a result.
  package var rows: Int?
  /// The number of lost values and objects.
  package var losses: Int?
  package var reason: String?
  package var message: String?
  /// Whether the result was in the output already, so that this is a further line for the same result.
  package var found: Bool?
  /// The folder of an earlier run's result, as a path within the output; only for a refused store that still has one.
  ///
  /// That result is of another state of the source or of other settings, or one of its files is missing.
  package var staleResult: String?
  /// When the store was settled, in UTC as ISO 8601.
  package var ended: String

  package init(
    path: FileName, settings: String, result: Result, seconds: Double, ended: String
  ) {
    let written = WrittenPath(path)
    self.path = written.text
    pathBytes = written.bytes
    self.settings = settings
    self.result = result
    self.seconds = seconds
    self.ended = ended
  }

  /// The path's bytes.
  package var source: FileName { WrittenPath.path(path, bytes: pathBytes) ?? FileName(path) }

  mutating func setOutput(_ place: FileName) {
    let written = WrittenPath(place)
    output = written.text
    outputBytes = written.bytes
  }

  /// What has to be equal for a result to be used again: source and settings.
  ///
  /// `nil` if the source couldn't be read.
  var mark: PathKey? {
    guard let size, let sha256 else { return nil }
    let text = "\(size) \(sha256) \(companions?.sha256 ?? "-") \(settings)"
    return PathKey(digesting: Array(text.utf8))
  }

  package var isDone: Bool { result == .done || result == .current }
}
