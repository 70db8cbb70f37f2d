internal import DecantSpool
internal import Foundation

/// Keys of `report.json` or `reason.json`, which show to which job a folder in `done/` or `failed/` belongs.
struct FinishedPaper: Decodable {
  var job: String?
  var drop: String?
  var file: String?
  var result: String?

  /// - Returns: `nil` if the folder has no such file, or if the file can't be decoded.
  /// - Throws: `FileFailure` for a file that can't be read, isn't a regular file, or is too large.
  static func read(in folder: FolderHandle, isDone: Bool) throws(FileFailure) -> FinishedPaper? {
    let name = isDone ? Departure.report : Departure.reason
    return try folder.read(name, limit: Departure.largestReport).flatMap {
      try? JSONDecoder().decode(FinishedPaper.self, from: $0)
    }
  }
}
