/// The limits of a policy program; a program that exceeds a limit of time or of its answers is ended.
package struct PolicyProgramLimits: Sendable, Hashable {
  /// Seconds from the program's start to its hello.
  var startSeconds = 30.0
  /// Seconds for one batch, including its writing.
  var batchSeconds = 300.0
  /// Seconds from the end of the program's input to its end.
  var endSeconds = 10.0
  /// A program with slow batches may also be slow to start and to end, so its other time limits are at least as long.
  ///
  /// - Parameter batchSeconds: The time for one batch in the mapping model; `nil` for the default.
  package init(batchSeconds: Double? = nil) {
    guard let batchSeconds else { return }
    self.batchSeconds = batchSeconds
    startSeconds = max(startSeconds, batchSeconds)
    endSeconds = max(endSeconds, batchSeconds)
  }

  /// The largest number of bytes of one line of an answer.
  var lineBytes = 16 << 20
  /// The largest number of bytes of all lines of the answer to one batch.
  var answerBytes = 64 << 20
  /// The number of bytes kept from the end of the program's standard error.
  var errorTailBytes = LastWords.tailBytes
}
