internal import CSQLite
package import DecantModel
internal import Foundation

/// What SQLite answered, with everything that helps to find out why.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why a statement was ended before its time.
  package enum Interruption: Sendable, Hashable {
    /// It kept a processor busy for too long.
    case work
    /// Too much time passed.
    case time
    /// Somebody asked for it.
    case request
  }

  /// The extended result code.
  package let code: Int32
  /// SQLite's own words.
  package let message: String
  /// The statement at work, shortened.
  package let statement: String?
  /// The file.
  package let path: String
  /// Set where the statement was interrupted.
  package var interruption: Interruption?
  /// The errno of the call that failed; 0 where none did, or none is known.
  package private(set) var systemCode: Int32 = 0
  /// The file that it was about and what was tried, where that is known.
  private var failedFile: String?
  private var failedAction: String?

  package init(code: Int32, message: String, statement: String?, path: String) {
    self.code = code
    self.message = message
    self.statement = statement.map { $0.count > 300 ? $0.prefix(300) + "…" : $0 }
    self.path = path
  }

  /// Finds out which call failed, right after it did and on the same thread.
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

  /// The disk's failure that this is; `nil` where it is something else.
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

  /// Of a file that SQLite can read, and whose rows don't hold what they should.
  package static func damage(_ message: String, path: String) -> Self {
    Self(code: SQLITE_CORRUPT, message: message, statement: nil, path: path)
  }

  /// Of work over a file that somebody has asked to end.
  package static func stopped(path: String) -> Self {
    var error = Self(code: SQLITE_INTERRUPT, message: "interrupted", statement: nil, path: path)
    error.interruption = .request
    return error
  }

  package var description: String {
    // What was being written when the room ran out is no matter of the statement.
    let place = primaryCode == SQLITE_FULL ? "" : statement.map { " in: \($0)" } ?? ""
    return "\(path): SQLite says “\(message)” (code \(code))\(place)"
  }

  /// The primary result code.
  package var primaryCode: Int32 { code & 0xff }

  /// The file is not a database, or a damaged one.
  package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  /// No room: a full disk or quota, or a limit on the size of files (which SQLite calls a failed write).
  package var isNoRoom: Bool {
    primaryCode == SQLITE_FULL || primaryCode == SQLITE_IOERR && Self.roomCodes.contains(systemCode)
  }

  /// Input or output failed, the file can't be opened or is locked: another try may do better.
  package var mayGetBetter: Bool {
    [
      SQLITE_BUSY, SQLITE_LOCKED, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_FULL, SQLITE_PERM,
      SQLITE_READONLY,
    ]
    .contains(primaryCode)
  }

  /// A row broke a uniqueness constraint.
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  /// A function of a statement gave an error, or the statement itself is wrong.
  package var isFunctionError: Bool { primaryCode == SQLITE_ERROR }

  /// A value is larger than SQLite keeps.
  package var isTooLarge: Bool { primaryCode == SQLITE_TOOBIG }

  /// The statement was interrupted; `interruption` says why.
  package var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }
}
