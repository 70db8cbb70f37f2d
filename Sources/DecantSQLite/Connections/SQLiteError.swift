internal import CSQLite
package import DecantModel
internal import Foundation

/// An error of SQLite, with the details that help to find the cause.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why a statement was ended before its time.
  package enum Interruption: Sendable, Hashable {
    /// The statement used too much processor time.
    case work
    /// Too much clock time passed.
    case time
    /// A caller asked for the interruption.
    case request
  }

  /// The extended result code.
  package let code: Int32
  /// SQLite's own words.
  package let message: String
  /// The statement that was running, shortened.
  package let statement: String?
  package let path: String
  /// Set if the statement was interrupted.
  package var interruption: Interruption?
  /// The errno of the call that failed; 0 if no call failed, or if the errno isn't known.
  package private(set) var systemCode: Int32 = 0
  /// The file of the failed call and the attempted action, if known.
  private var failedFile: String?
  private var failedAction: String?

  package init(code: Int32, message: String, statement: String?, path: String) {
    self.code = code
    self.message = message
    self.statement = statement.map { $0.count > 300 ? $0.prefix(300) + "…" : $0 }
    self.path = path
  }

  /// Finds out which call failed.
  ///
  /// Call it directly after the failed call, on the same thread.
  ///
  /// - Parameter mark: The moment when the call into SQLite began (`WatchedFiles.mark`).
  mutating func findCause(_ handle: OpaquePointer?, since mark: Int) {
    guard primaryCode == SQLITE_IOERR || primaryCode == SQLITE_CANTOPEN else { return }
    if primaryCode == SQLITE_IOERR, let failure = WatchedFiles.take(since: mark) {
      (systemCode, failedFile, failedAction) = (failure.code, failure.path, failure.action)
    } else if let handle {
      systemCode = sqlite3_system_errno(handle)
    }
  }

  /// The disk failure that caused this error; `nil` for other errors.
  package var diskFailure: DiskFailure? {
    let isOne =
      switch primaryCode {
      case SQLITE_IOERR:
        ![SQLITE_IOERR | 2 << 8, SQLITE_IOERR | 12 << 8].contains(code) && !Self.roomCodes.contains(systemCode)
      case SQLITE_CANTOPEN: DiskFailure.isOne(systemCode)
      default: false
      }
    guard isOne else { return nil }
    return DiskFailure(
      path: failedFile.flatMap { $0.isEmpty ? nil : $0 } ?? path, action: failedAction ?? "read or written",
      code: DiskFailure.isOne(systemCode) ? systemCode : EIO)
  }

  /// A full disk or quota, or a limit on the size of files.
  private static let roomCodes: Set<Int32> = [ENOSPC, EDQUOT, EFBIG]

  /// The error for a file that SQLite can read, but whose rows hold wrong values.
  package static func damage(_ message: String, path: String) -> Self {
    Self(code: SQLITE_CORRUPT, message: message, statement: nil, path: path)
  }

  /// The error for work over a file that a caller has stopped.
  package static func stopped(path: String) -> Self {
    var error = Self(code: SQLITE_INTERRUPT, message: "interrupted", statement: nil, path: path)
    error.interruption = .request
    return error
  }

  package var description: String {
    // The statement doesn't matter if the disk is full.
    let place = primaryCode == SQLITE_FULL ? "" : statement.map { " in: \($0)" } ?? ""
    return "\(path): SQLite says “\(message)” (code \(code))\(place)"
  }

  package var primaryCode: Int32 { code & 0xff }

  /// The file isn't a database, or is a damaged database.
  package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  /// The disk or a quota is full, or a file has reached its largest size.
  ///
  /// SQLite reports some of these cases as failed input or output (`SQLITE_IOERR`).
  package var isNoRoom: Bool {
    primaryCode == SQLITE_FULL || primaryCode == SQLITE_IOERR && Self.roomCodes.contains(systemCode)
  }

  /// The limit on the size of files is reached; a kind of `isNoRoom`.
  package var isFileLimit: Bool { isNoRoom && systemCode == EFBIG }

  /// What to do if there is no room.
  package var roomAdvice: String {
    isFileLimit ? FileSizeLimit.advice : "Free space on the disk; the work continues where it ended."
  }

  /// Another try may succeed: for example, input or output failed, the file is locked, or the disk is full.
  package var mayGetBetter: Bool {
    [
      SQLITE_BUSY, SQLITE_LOCKED, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_FULL, SQLITE_PERM,
      SQLITE_READONLY,
    ]
    .contains(primaryCode)
  }

  /// A row broke a constraint, such as uniqueness.
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  /// A function of a statement gave an error, or the statement itself is wrong.
  package var isFunctionError: Bool { primaryCode == SQLITE_ERROR }

  /// A value is larger than SQLite's limit.
  package var isTooLarge: Bool { primaryCode == SQLITE_TOOBIG }

  /// The statement was interrupted; `interruption` says why.
  package var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }
}
