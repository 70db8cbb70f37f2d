import CSQLite
import Foundation

/// Reads a file as other programs do: by SQLite alone, without functions of Decant.
enum PlainSQLite {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The rows of all statements, each with bars between its values.
  static func rows(_ file: URL, _ sql: String) throws -> [String] {
    var handle: OpaquePointer?
    guard sqlite3_open_v2(file.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
      throw Failure(description: "\(file.path) can't be opened")
    }
    defer { sqlite3_close_v2(handle) }
    var rows: [String] = []
    let code = withUnsafeMutablePointer(to: &rows) { pointer in
      sqlite3_exec(
        handle, sql,
        { context, count, values, _ in
          let texts = (0..<Int(count)).map { index in
            values?[index].map { String(cString: $0) } ?? "nil"
          }
          context?.assumingMemoryBound(to: [String].self).pointee.append(texts.joined(separator: "|"))
          return 0
        }, pointer, nil)
    }
    guard code == SQLITE_OK else {
      throw Failure(description: "\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
    return rows
  }

  /// The whole content of an association file.
  static func dump(_ file: URL) throws -> [String] {
    try ["file", "steps", "mappings", "runs", "shared", "pairs", "uris"].flatMap { table in
      try rows(file, "SELECT * FROM \(table) ORDER BY 1, 2").map { "\(table): \($0)" }
    }
  }
}
