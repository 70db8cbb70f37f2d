internal import DecantReport
package import DecantSpool
internal import Foundation

/// Numbers the arrivals.
///
/// `work/.arrival` keeps the last reserved number, so that no number is used twice after a restart.
package struct ArrivalCounter: Sendable {
  private static let name = ".arrival"
  /// How many numbers are reserved on disk at a time; a restart skips those that weren't used.
  package static let block = 64

  private(set) package var last: Int
  private var reserved: Int

  /// Continues from the number in the file or from the highest number in use, whichever is larger.
  ///
  /// If that number is above 2^53, which no daemon reaches, the numbers begin again.
  package init(spool: Spool, inUse: [Int]) throws(FileFailure) {
    let data = try spool.work.read(Self.name, limit: 64) ?? Data()
    let words = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    last = max(0, Int(words) ?? 0, inUse.max() ?? 0)
    if last > 1 << 53 { last = 0 }
    reserved = last
  }

  /// The next number; it is reserved on disk before it is used.
  package mutating func next(spool: Spool) throws(FileFailure) -> Int {
    if last >= reserved {
      try spool.work.write(Data("\(last + Self.block)\n".utf8), to: Self.name)
      reserved = last + Self.block
    }
    last += 1
    return last
  }

  /// The name of a job: sortable, unique, safe as a file name.
  package static func jobID(arrival: Int, at seconds: Double) -> String {
    "\(Timestamp.compact(seconds))-\(Timestamp.pad(arrival, 6))"
  }
}
