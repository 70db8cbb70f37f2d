internal import DecantReport
internal import DecantShards
internal import Foundation

extension CommandFailure {
  /// The failure of a shard that can't run.
  init(_ error: ShardError) {
    switch error {
    case .file(let path, let action, let code):
      let reason: FailureReason? =
        switch (code, action) {
        case (ENOSPC, _), (EDQUOT, _): .noRoom
        case (ENOENT, "read"), (ENOTDIR, "read"): .noSuchFile
        default: nil
        }
      if let reason {
        let exitCode = reason == .noRoom ? ExitCode.tryAgain : nil
        self.init(reason, error.description, exitCode: exitCode, advice: error.advice)
      } else {
        self.init(errno: code, path, action)
      }
    case .badShard, .outOfRange, .arrayWithGaps, .incompleteEnvironment, .wrongOption:
      self.init(.usage, error.description, advice: error.advice)
    case .notAFile, .longPath, .mixedForms, .notALedger, .newerLedger, .otherManifest, .otherShard:
      self.init(.badData, error.description, advice: error.advice)
    case .changedManifest:
      self.init(.files, error.description, exitCode: ExitCode.tryAgain, advice: error.advice)
    case .stopped: self.init(.stopped, error.description, advice: error.advice)
    case .noWorker: self.init(.workerUnusable, error.description, advice: error.advice)
    }
  }
}
