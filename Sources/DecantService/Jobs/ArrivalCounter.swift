internal import Foundation

/// The number of the last arrival, kept in `work/.arrival`, so that order and names survive a restart.
package struct ArrivalCounter: Sendable {
  private static let name = ".arrival"
  private(set) package var last: Int

  /// Goes on from the file, or from the highest number in use where the file is lost.
  package init(spool: Spool, inUse: [Int]) throws(FileFailure) {
    let data = try spool.work.read(Self.name, limit: 64) ?? Data()
    let words = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    last = max(0, Int(words) ?? 0, inUse.max() ?? 0)
    if last > 1 << 53 { last = 0 }
  }

  /// The next number, written down before it is used.
  package mutating func next(spool: Spool) throws(FileFailure) -> Int {
    try spool.work.write(Data("\(last + 1)\n".utf8), to: Self.name)
    last += 1
    return last
  }

  /// The name of a job: sortable, unique, safe as a file name.
  package static func jobID(arrival: Int, at seconds: Double) -> String {
    "\(Timestamp.compact(seconds))-\(Timestamp.pad(arrival, 6))"
  }
}
