/// What a policy program may take before it is ended.
struct PolicyProgramLimits: Sendable, Hashable {
  /// Seconds from the start to its hello.
  var startSeconds = 30.0
  /// Seconds for one batch, writing it included.
  var batchSeconds = 300.0
  /// Seconds from the end of its input to its own end.
  var endSeconds = 10.0
  /// Bytes of one line of an answer.
  var lineBytes = 16 << 20
  /// Bytes of all lines of the answer to one batch.
  var answerBytes = 64 << 20
  /// Bytes that are kept of what it says on standard error.
  var errorTailBytes = LastWords.tailBytes
}
