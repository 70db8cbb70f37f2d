internal import CSQLite
internal import DecantModel
internal import Foundation
internal import Synchronization

/// SQLite's files with a look at what comes back from the disk.
///
/// SQLite calls a file damaged whose disk fails to read it (`SQLITE_IOERR_CORRUPTFS` becomes `SQLITE_CORRUPT`). Through
/// this a failed read stays one, with its errno and the file that it was about.
package enum WatchedFiles {
  /// A call that has failed.
  package struct Failure {
    package let path: String
    package let action: String
    package let code: Int32
  }

  /// The last failure of each thread until someone asks for it.
  private static let last = Mutex<[UInt: Failure]>([:])

  /// The name of the VFS; `nil` for SQLite's own where it can't be registered.
  package static let name: String? = {
    let code = decant_register_vfs(
      { path in
        guard let path else { return 0 }
        return DiskFaultPlan.pass(String(cString: path))
      },
      { path, action, code in
        guard let path, let action else { return }
        // Where SQLite has kept no errno, nothing else than a failed disk is known.
        WatchedFiles.note(
          Failure(path: String(cString: path), action: String(cString: action), code: code == 0 ? EIO : code))
      })
    return code == SQLITE_OK ? "decant" : nil
  }()

  private static func note(_ failure: Failure) {
    DiskWatch.note(failure.path, failure.action, failure.code)
    last.withLock { $0[thread] = failure }
  }

  /// The failure that this thread's call into SQLite has just ended with.
  package static func take() -> Failure? { last.withLock { $0.removeValue(forKey: thread) } }

  private static var thread: UInt { UInt(pthread_self()) }
}
