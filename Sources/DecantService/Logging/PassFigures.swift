/// The memory and disk space that a job had used when one of its passes ended.
struct PassFigures: Sendable, Hashable {
  /// A pass of a step; both count from 1.
  struct Place: Sendable, Hashable {
    var step: Int
    var pass: Int
  }

  /// The largest resident memory of the worker process until the pass ended, in bytes; `nil` if it isn't known.
  var peakMemory: Int?
  /// The bytes of the job's working files and results on the disk; `nil` if they aren't known.
  var diskBytes: Int64?
}
