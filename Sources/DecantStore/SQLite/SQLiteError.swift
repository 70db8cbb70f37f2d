internal import CSQLite

/// What SQLite answered, with everything that helps to find out why.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why a statement was ended before its time.
  public enum Interruption: Sendable, Hashable {
    /// It kept a processor busy for too long.
    case work
    /// Too much time passed.
    case time
    /// Somebody asked for it.
    case request
  }

  /// The extended result code.
  public let code: Int32
  /// SQLite's own words.
  public let message: String
  /// The statement at work, shortened.
  public let statement: String?
  /// The file.
  public let path: String
  /// Set where the statement was interrupted.
  public internal(set) var interruption: Interruption?

  public init(code: Int32, message: String, statement: String?, path: String) {
    self.code = code
    self.message = message
    self.statement = statement.map { $0.count > 300 ? $0.prefix(300) + "…" : $0 }
    self.path = path
  }

  /// Of a file that SQLite can read, and whose rows don't hold what they should.
  package static func damage(_ message: String, path: String) -> Self {
    Self(code: SQLITE_CORRUPT, message: message, statement: nil, path: path)
  }

  /// Of work over a file that somebody has asked to end.
  static func stopped(path: String) -> Self {
    var error = Self(code: SQLITE_INTERRUPT, message: "interrupted", statement: nil, path: path)
    error.interruption = .request
    return error
  }

  public var description: String {
    // What was being written when the room ran out is no matter of the statement.
    let place = primaryCode == SQLITE_FULL ? "" : statement.map { " in: \($0)" } ?? ""
    return "\(path): SQLite says “\(message)” (code \(code))\(place)"
  }

  /// The primary result code.
  public var primaryCode: Int32 { code & 0xff }

  /// The file is not a database, or a damaged one.
  public var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  /// No room: a full disk or quota, or a limit on the size of files (which SQLite calls a failed write).
  public var isNoRoom: Bool {
    primaryCode == SQLITE_FULL || code == ioErrorOnWrite
  }

  /// Input or output failed, the file can't be opened or is locked: another try may do better.
  public var mayGetBetter: Bool {
    [
      SQLITE_BUSY, SQLITE_LOCKED, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_FULL, SQLITE_PERM,
      SQLITE_READONLY,
    ]
    .contains(primaryCode)
  }

  /// A row broke a uniqueness constraint.
  public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  /// A function of a statement gave an error, or the statement itself is wrong.
  public var isFunctionError: Bool { primaryCode == SQLITE_ERROR }

  /// A value is larger than SQLite keeps.
  public var isTooLarge: Bool { primaryCode == SQLITE_TOOBIG }

  /// The statement was interrupted; `interruption` says why.
  public var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }
}

/// `SQLITE_IOERR_WRITE`, an expression macro that doesn't import.
private let ioErrorOnWrite: Int32 = SQLITE_IOERR | (3 << 8)
