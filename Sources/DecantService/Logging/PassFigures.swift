/// What a job had taken of the machine when one of its passes ended.
struct PassFigures: Sendable, Hashable {
  /// A pass of a step; both count from 1.
  struct Place: Sendable, Hashable {
    var step: Int
    var pass: Int
  }

  /// The most memory that the worker had held in the job.
  var peakMemory: Int?
  /// The bytes of the job's working files and results on the disk.
  var diskBytes: Int64?
}
