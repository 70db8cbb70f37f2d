internal import CSQLite
internal import DecantModel
internal import Foundation
internal import Synchronization

/// A VFS that records failed calls on SQLite's files.
///
/// If the disk fails to read a file, SQLite calls the file damaged (`SQLITE_IOERR_CORRUPTFS` becomes
/// `SQLITE_CORRUPT`). With this VFS, a failed read is reported as a failed read, with its errno and its file.
package enum WatchedFiles {
  package struct Failure {
    package let path: String
    package let action: String
    package let code: Int32
  }

  /// The number of failed calls.
  private static let count = Atomic(0)
  /// The last failure of each thread, with its number.
  private static let last = Mutex<[UInt: (number: Int, failure: Failure)]>([:])

  /// The name of the VFS; `nil`, for SQLite's default VFS, if it can't be registered.
  package static let name: String? = {
    let code = decant_register_vfs(
      { path in
        guard let path else { return 0 }
        return DiskFaultPlan.pass(String(cString: path))
      },
      { path, action, code in
        guard let path, let action else { return }
        // If SQLite has kept no errno, EIO stands for the failed disk.
        WatchedFiles.note(
          Failure(path: String(cString: path), action: String(cString: action), code: code == 0 ? EIO : code))
      })
    return code == SQLITE_OK ? "decant" : nil
  }()

  private static func note(_ failure: Failure) {
    DiskWatch.note(failure.path, failure.action, failure.code)
    let number = count.add(1, ordering: .relaxed).newValue
    last.withLock { $0[thread] = (number, failure) }
  }

  /// The present moment, for `take(since:)`.
  package static var mark: Int { count.load(ordering: .relaxed) }

  /// Takes the last failure of this thread's calls into SQLite since a moment; `nil` if there is none.
  ///
  /// The failure is forgotten then. Earlier failures don't explain a new error.
  package static func take(since mark: Int) -> Failure? {
    last.withLock { last in
      guard let entry = last.removeValue(forKey: thread), entry.number > mark else { return nil }
      return entry.failure
    }
  }

  private static var thread: UInt { UInt(pthread_self()) }
}
