internal import CSQLite
package import Foundation
internal import PredicateFormat

/// A compiled statement that is kept for later users of the connection.
final class KeptStatement {
  let handle: OpaquePointer
  let text: String
  var isTaken = true

  init(_ handle: OpaquePointer, _ text: String) {
    self.handle = handle
    self.text = text
  }

  func giveBack() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    isTaken = false
  }
}

/// An open connection, with the objects that have the same lifetime.
///
/// `@unchecked Sendable`: its state changes under the connection's own lock, or while only one queue has the
/// connection.
package final class SQLiteConnection: @unchecked Sendable {
  /// The largest number of kept statements; further statements are compiled each time.
  private static let mostStatements = 4096

  package let handle: OpaquePointer
  package let deadline = StatementDeadline()
  package let gate = CommitGate()
  /// Takes the connection back when its database is released; without it, the connection is closed.
  package var home: (@Sendable (SQLiteConnection) -> Void)?
  /// Set after an error, or after a change that a later user doesn't expect: the connection isn't used again.
  package var isSpoiled = false
  /// The moment when the last call began (`WatchedFiles.mark`).
  var callMark = 0
  /// The objects that registered functions read, one for each type.
  private var functionStates: [ObjectIdentifier: AnyObject] = [:]
  private var statements: [String: KeptStatement] = [:]

  init(_ handle: OpaquePointer) {
    self.handle = handle
    deadline.install(on: handle)
    gate.install(on: handle)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement.handle) }
    sqlite3_close_v2(handle)
  }

  /// The object of that type that the connection's functions read, if one is set.
  package func functionState<State: AnyObject>(_ type: State.Type) -> State? {
    functionStates[ObjectIdentifier(type)] as? State
  }

  /// Sets an object that the connection's functions read.
  ///
  /// It replaces an earlier object of the same type.
  package func setFunctionState<State: AnyObject>(_ state: State) {
    functionStates[ObjectIdentifier(State.self)] = state
  }

  /// Whether further statements would be kept; if false, a new connection is better.
  package var hasRoomForStatements: Bool { statements.count < Self.mostStatements }

  /// The size of a database in memory, in bytes.
  package func size(of schema: String) -> Int {
    var size: Int64 = 0
    return sqlite3_serialize(handle, schema, &size, UInt32(SQLITE_SERIALIZE_NOCOPY)) == nil ? 0 : Int(size)
  }

  /// A statement that an earlier user compiled, unless it is in use.
  ///
  /// SQLite compiles it again if the schema has changed.
  func takeStatement(_ text: String) -> KeptStatement? {
    // Texts are compared by bytes, because texts in different normal forms hold different values.
    guard home != nil, let kept = statements[text], !kept.isTaken, Bytes.areEqual(kept.text, text)
    else {
      return nil
    }
    kept.isTaken = true
    return kept
  }

  /// Keeps a statement for later use, if the connection itself is kept.
  func keep(_ statement: OpaquePointer, _ text: String) -> KeptStatement? {
    // A compiled PRAGMA contains the value of its setting, so it isn't kept.
    let isSetting = text.hasPrefix("PRAGMA ") && !text.hasPrefix("PRAGMA quick_check")
    guard home != nil, !isSetting, hasRoomForStatements, statements[text] == nil else { return nil }
    let kept = KeptStatement(statement, text)
    statements[text] = kept
    return kept
  }

  /// Replaces the bytes of a database in memory, while no statement reads it; false if this fails.
  ///
  /// In the next transaction, SQLite sees from the header that the content is new, and whether the schema is
  /// new, too.
  package func replace(_ schema: String, with image: Data) -> Bool {
    image.withUnsafeBytes {
      decant_sqlite3_replace_content(handle, schema, $0.baseAddress, Int64($0.count)) == SQLITE_OK
    }
  }
}
