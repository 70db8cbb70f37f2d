internal import DecantSpool
internal import Foundation

/// The keys of `report.json` and `reason.json` that show whose folder in `done/` or `failed/` it is.
struct FinishedPaper: Decodable {
  var job: String?
  var drop: String?
  var file: String?
  var result: String?

  /// - Returns: `nil` if the folder has no such file, or the file isn't of a job.
  static func read(in folder: FolderHandle, isDone: Bool) throws(FileFailure) -> FinishedPaper? {
    let name = isDone ? Departure.report : Departure.reason
    return try folder.read(name, limit: Departure.largestReport).flatMap {
      try? JSONDecoder().decode(FinishedPaper.self, from: $0)
    }
  }
}
