import CSQLite
import Foundation
import Synchronization

/// Calls a closure before each SQL statement of connections to files in a folder, and after each 1000th changed row.
///
/// The files at that moment are those that a killed process leaves.
final class StatementTrap: Sendable {
  private struct Entry {
    let folder: String
    let action: @Sendable () -> Void
  }

  private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])
  private static let rows = Mutex(0)

  /// Makes SQLite call `attach` for each new connection of this process.
  private static let installed: Void = {
    typealias Entry =
      @convention(c) (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?) ->
      Int32
    let entry: Entry = { connection, _, _ in
      guard let connection else { return 0 }
      StatementTrap.attach(connection)
      return 0
    }
    sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
  }()

  private static func attach(_ connection: OpaquePointer) {
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT),
      { _, _, statement, _ in
        if let statement { StatementTrap.pass(sqlite3_db_handle(OpaquePointer(statement))) }
        return 0
      }, nil)
    sqlite3_update_hook(
      connection,
      { context, _, _, _, _ in
        let count = StatementTrap.rows.withLock { rows in
          rows += 1
          return rows
        }
        if count % 1000 == 0, let context { StatementTrap.pass(OpaquePointer(context)) }
      }, UnsafeMutableRawPointer(connection))
  }

  private static func pass(_ connection: OpaquePointer?) {
    let actions = entries.withLock { $0.values.map { ($0.folder, $0.action) } }
    guard !actions.isEmpty, let name = sqlite3_db_filename(connection, "main") else { return }
    let path = String(cString: name)
    for (folder, action) in actions where path.hasPrefix(folder) { action() }
  }

  /// Runs `body`; during this time `action` is called.
  ///
  /// - Parameter folder: The path of the folder, with all links resolved.
  static func with<Result>(
    folder: String, action: @escaping @Sendable () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    _ = installed
    let trap = StatementTrap()
    entries.withLock { $0[ObjectIdentifier(trap)] = Entry(folder: folder, action: action) }
    defer { _ = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(trap)) } }
    return try body()
  }
}
