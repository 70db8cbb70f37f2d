internal import DecantConsole
internal import DecantReport
internal import DecantShards
internal import Foundation

extension CommandFailure {
  init(_ error: ShardError) {
    switch error {
    case .file(let path, let action, let code):
      switch (code, action) {
      case (ENOENT, "read"), (ENOTDIR, "read"), (ELOOP, "read"), (ENAMETOOLONG, "read"):
        self.init(.noSuchFile, error.description, advice: error.advice)
      case (ENOSPC, _), (EDQUOT, _):
        self.init(.noRoom, error.description, exitCode: ExitCode.tryAgain, advice: error.advice)
      case (EEXIST, _), (EISDIR, _):
        self.init(.cantCreate, error.description, advice: error.advice)
      default:
        let failure = CommandFailure(errno: code, path, action)
        // A failure without an exit code of its own may pass, for example on a shared file system.
        self.init(
          failure.reason, error.description,
          exitCode: failure.reason == .files ? ExitCode.tryAgain : failure.exitCode, advice: error.advice)
      }
    // The exit code isn't 65, because 65 would mean that the shard has run.
    case .badShard, .outOfRange, .arrayWithGaps, .incompleteEnvironment, .wrongOption, .notAFile, .badManifest,
      .changedManifest, .noStores, .notALedger, .newerLedger, .otherManifest, .otherShard, .otherOutput:
      self.init(.usage, error.description, advice: error.advice)
    case .noStoresFound: self.init(.noSuchFile, error.description, advice: error.advice)
    case .scratch(_, _, let code):
      switch code {
      case ENOSPC, EDQUOT:
        self.init(.noRoom, error.description, exitCode: ExitCode.tryAgain, advice: error.advice)
      case EACCES, EPERM, EROFS:
        // On another machine, the scheduler's next attempt may succeed, so the exit code isn't 77.
        self.init(.permission, error.description, exitCode: ExitCode.noInput, advice: error.advice)
      default: self.init(.files, error.description, exitCode: ExitCode.tryAgain, advice: error.advice)
      }
    case .stopped: self.init(.stopped, error.description, advice: error.advice)
    // Decant's own worker is the same program. If it can't start, the machine may lack processes or memory for a
    // moment, so the exit code is 75.
    case .noWorker(_, let isOwn):
      self.init(
        .workerUnusable, error.description, exitCode: isOwn ? ExitCode.tryAgain : nil, advice: error.advice)
    }
  }
}
