import CSQLite
import Foundation

/// An SQLite connection without Decant's settings, to make stores that no application would make.
final class RawSQLite {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private var handle: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw Failure(description: path) }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Keeps bytes at the end of each page free, from the next `VACUUM` on.
  func reserve(_ bytes: Int) -> RawSQLite {
    var bytes = Int32(bytes)
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
    return self
  }

  @discardableResult
  func execute(_ text: String) throws -> RawSQLite {
    var message: UnsafeMutablePointer<CChar>?
    guard sqlite3_exec(handle, text, nil, nil, &message) == SQLITE_OK else {
      defer { sqlite3_free(message) }
      throw Failure(description: message.map { String(cString: $0) } ?? "error")
    }
    return self
  }
}
