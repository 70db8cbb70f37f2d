internal import DecantSpool
internal import FileNames
internal import Foundation

/// A note of a program that has to run for a job; a file in the spool keeps it until the program has ended.
///
/// The file is written before the job's folder in `work/` is removed. So a program runs at least once, even after a
/// crash.
struct ProgramNote: Sendable, Hashable, Codable {
  static let folderName = ".programs"
  private static let sizeLimit = 1 << 20

  var record: JobRecord
  /// The path of the job's folder in `done/` or `failed/`; `nil` if it isn't known.
  var folder: String?
  /// `migrated` or `alreadyCurrent`; `nil` if the store was refused, or if the report can't be read.
  var result: String?
  /// The word of the reason, if the store was refused.
  var reason: String?
  var family: String?

  var isDone: Bool { record.state == .delivering }

  private static func fileName(_ job: String) -> String { "\(job).json" }

  /// The jobs of the notes that an earlier daemon has left, in order.
  static func jobs(in spool: Spool) throws(FileFailure) -> [String] {
    guard try spool.root.status(folderName)?.kind == .folder else { return [] }
    return try spool.root.folder(folderName).names().filter { !$0.hasPrefix(".") && $0.isText }
      .compactMap { $0.dropping(".json")?.text }.sorted()
  }

  static func read(_ job: String, in spool: Spool) throws(FileFailure) -> ProgramNote? {
    guard try spool.root.exists(folderName),
      let data = try spool.root.folder(folderName).read(fileName(job), limit: sizeLimit)
    else { return nil }
    return try? JSONDecoder().decode(Self.self, from: data)
  }

  /// Writes the note durably.
  func save(in spool: Spool) throws(FileFailure) {
    try spool.root.make(Self.folderName)
    guard let data = try? JSONEncoder().encode(self) else { return }
    // Several jobs share a sync.
    try spool.root.folder(Self.folderName, rounds: spool.work.rounds).write(data, to: Self.fileName(record.id))
  }

  static func remove(_ job: String, in spool: Spool) throws(FileFailure) {
    if try spool.root.exists(folderName) { try spool.root.folder(folderName).remove(fileName(job)) }
  }

  func environment(spool: String) -> [String: String] {
    var variables = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "DECANT_EVENT": isDone ? "done" : "failed",
      "DECANT_JOB": record.id, "DECANT_DROP": record.drop.description, "DECANT_STORE": record.title,
      "DECANT_SPOOL": spool,
    ]
    if let family { variables["DECANT_FAMILY"] = family }
    if let reason { variables["DECANT_REASON"] = reason }
    if let result { variables["DECANT_RESULT"] = result }
    if let folder {
      variables["DECANT_FOLDER"] = folder
      variables["DECANT_REPORT"] = folder + (isDone ? "/report.json" : "/reason.json")
      if let store = record.store {
        variables["DECANT_PATH"] = folder + (isDone ? "/" : "/original/") + store.text
      }
    }
    return variables
  }
}
