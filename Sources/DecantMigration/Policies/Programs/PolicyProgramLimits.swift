/// What a policy program may take before it is ended.
struct PolicyProgramLimits: Sendable, Hashable {
  /// Seconds from the start to its hello.
  var startSeconds = 30.0
  /// Seconds for one batch, writing it included.
  var batchSeconds = 300.0
  /// Seconds from the end of its input to its own end.
  var endSeconds = 10.0
  /// The limits with what a mapping model says of the time for one batch; a program that takes long over one may also
  /// take long to begin and to end.
  init(batchSeconds: Double? = nil) {
    guard let batchSeconds else { return }
    self.batchSeconds = batchSeconds
    startSeconds = max(startSeconds, batchSeconds)
    endSeconds = max(endSeconds, batchSeconds)
  }

  /// Bytes of one line of an answer.
  var lineBytes = 16 << 20
  /// Bytes of all lines of the answer to one batch.
  var answerBytes = 64 << 20
  /// Bytes that are kept of what it says on standard error.
  var errorTailBytes = LastWords.tailBytes
}
