internal import CSQLite
internal import DecantModel
package import DecantSQLite
internal import Foundation

/// SQL functions that add and remove the marker byte of external binary storage (docs/formats/core-data-sqlite.md 7.2).
package enum ExternalDataFunction {
  /// The function that gives the bytes of a marked value, or of the file that the value names.
  ///
  /// A value without a known marker stays unchanged; NULL and an empty value give NULL.
  package static let inline = "decant_external_inline"
  /// The function that puts the inline marker before a value.
  package static let marked = "decant_external_marked"

  /// Registers both functions for a connection.
  ///
  /// A missing file gives NULL. If a file can't be read or is too large for a row, the statement ends with an error
  /// that names the file.
  ///
  /// - Parameter folder: The store's `_EXTERNAL_DATA` folder.
  package static func register(in database: SQLiteDatabase, folder: String) throws(SQLiteError) {
    // Registering a function again would make SQLite recompile all statements, so only the folder changes.
    if let known = database.connection.functionState(ExternalDataFolder.self) {
      known.path = folder
      return
    }
    let state = ExternalDataFolder(path: folder)
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    try SQLFunction.register(inline, arguments: 1, flags: flags, state: state, in: database) {
      context, _, values in
      guard let value = values?[0], let data = blob(value), let marker = data.first else {
        sqlite3_result_null(context)
        return
      }
      switch marker {
      case 1: result(Data(data.dropFirst()), in: context)
      case 2:
        guard let pointer = sqlite3_user_data(context) else { return sqlite3_result_null(context) }
        let folder = Unmanaged<ExternalDataFolder>.fromOpaque(pointer).takeUnretainedValue()
        let limit = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1)
        switch folder.content(of: data, limit: Int(limit)) {
        case .missing: sqlite3_result_null(context)
        case .bytes(let content): result(content, in: context)
        case .failed(let code, let message):
          sqlite3_result_error(context, message, -1)
          sqlite3_result_error_code(context, code)
        }
      default: result(data, in: context)
      }
    }
    try SQLFunction.register(marked, arguments: 1, flags: flags, in: database) { context, _, values in
      guard let value = values?[0], let data = blob(value) else {
        sqlite3_result_null(context)
        return
      }
      result(Data([1]) + data, in: context)
    }
    database.connection.setFunctionState(state)
  }
}

private func blob(_ value: OpaquePointer) -> Data? {
  guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
  guard let bytes = sqlite3_value_blob(value) else { return Data() }
  return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
}

private func result(_ data: Data, in context: OpaquePointer?) {
  data.withUnsafeBytes { bytes in
    if bytes.isEmpty {
      sqlite3_result_zeroblob(context, 0)
    } else {
      decant_sqlite3_result_blob_copy(context, bytes.baseAddress, Int32(clamping: bytes.count))
    }
  }
}

/// The folder that contains the files of external values.
///
/// `@unchecked Sendable`: `path` changes only between statements.
final class ExternalDataFolder: @unchecked Sendable {
  enum Content {
    case bytes(Data)
    /// The name isn't a UUID, or no regular file has that name. The report counts such values.
    case missing
    /// A result code of SQLite, and a message.
    case failed(code: Int32, String)
  }

  var path: String

  init(path: String) {
    self.path = path
  }

  func content(of value: Data, limit: Int) -> Content {
    let text = String(decoding: value.dropFirst().prefix(36), as: UTF8.self)
    guard value.count >= 37, UUID(uuidString: text) != nil else { return .missing }
    let file = "\(path)/\(text)"
    let descriptor = DiskRead.open(file, O_NOFOLLOW)
    guard descriptor >= 0 else {
      return [ENOENT, ENOTDIR, ELOOP, ENOTSUP].contains(errno) ? .missing : Self.unreadable(file, errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return Self.unreadable(file, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .missing }
    guard status.st_size <= limit else {
      return .failed(
        code: SQLITE_TOOBIG,
        "the external file \(file) has \(status.st_size) bytes, a row holds at most \(limit)")
    }
    var bytes = Data(count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        DiskRead.read(
          descriptor, into: $0.baseAddress?.advanced(by: done), count: $0.count - done, of: file)
      }
      // The file has become shorter meanwhile.
      guard count != 0 else {
        return .failed(code: SQLITE_IOERR | 2 << 8, "the external file \(file) ends early")
      }
      guard count > 0 else { return Self.unreadable(file, errno) }
      done += count
    }
    return .bytes(bytes)
  }

  private static func unreadable(_ file: String, _ code: Int32) -> Content {
    // The message gives the reason, such as a missing permission. Both codes mean that another try may succeed.
    return .failed(
      code: DiskFailure.isOne(code) ? SQLITE_IOERR : SQLITE_CANTOPEN,
      "the external file \(file) can't be read: \(String(cString: strerror(code)))")
  }
}
