internal import CSQLite
package import Foundation
internal import PredicateFormat

/// A compiled statement that outlives whoever uses it.
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

/// An open connection, and what lives as long as it does.
///
/// `@unchecked Sendable`: what changes is touched under the connection's own lock, or while nobody else has it.
package final class SQLiteConnection: @unchecked Sendable {
  /// The most statements that are kept ready; further ones are compiled each time.
  private static let mostStatements = 4096

  package let handle: OpaquePointer
  package let deadline = StatementDeadline()
  package let gate = CommitGate()
  /// Takes the connection back when its database is let go; `nil` where it is closed then.
  package var home: (@Sendable (SQLiteConnection) -> Void)?
  /// Something went wrong over it, or was changed that a later user doesn't expect: it isn't used again.
  package var isSpoiled = false
  /// The moment when the last call began (`WatchedFiles.mark`).
  var callMark = 0
  /// What functions that were registered once look at, one object of a type.
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

  /// The object of that type that functions of the connection look at; `nil` before one is set.
  package func functionState<State: AnyObject>(_ type: State.Type) -> State? {
    functionStates[ObjectIdentifier(type)] as? State
  }

  /// Sets the object of its type that functions of the connection look at.
  package func setFunctionState<State: AnyObject>(_ state: State) {
    functionStates[ObjectIdentifier(State.self)] = state
  }

  /// Whether further statements would be kept; a connection that has had those of many models is better begun anew.
  package var hasRoomForStatements: Bool { statements.count < Self.mostStatements }

  /// How many bytes a database in memory has.
  package func size(of schema: String) -> Int {
    var size: Int64 = 0
    return sqlite3_serialize(handle, schema, &size, UInt32(SQLITE_SERIALIZE_NOCOPY)) == nil ? 0 : Int(size)
  }

  /// A statement that was compiled for an earlier user of the connection, unless somebody uses it; SQLite compiles it anew
  /// where the schema has changed since.
  func takeStatement(_ text: String) -> KeptStatement? {
    // By bytes: texts in different normal forms hold different values.
    guard home != nil, let kept = statements[text], !kept.isTaken, Bytes.areEqual(kept.text, text)
    else {
      return nil
    }
    kept.isTaken = true
    return kept
  }

  /// Keeps a statement for the next one who asks for its text, where the connection itself is kept.
  ///
  /// - Returns: `nil` where it isn't kept.
  func keep(_ statement: OpaquePointer, _ text: String) -> KeptStatement? {
    // The answers of settings are part of compiled statements.
    let isSetting = text.hasPrefix("PRAGMA ") && !text.hasPrefix("PRAGMA quick_check")
    guard home != nil, !isSetting, hasRoomForStatements, statements[text] == nil else { return nil }
    let kept = KeptStatement(statement, text)
    statements[text] = kept
    return kept
  }

  /// Puts bytes into the place of a database in memory, as another process would that writes a file while nobody reads it:
  /// with the next transaction SQLite sees by the header that the content is another one, and whether its schema is.
  package func replace(_ schema: String, with image: Data) -> Bool {
    image.withUnsafeBytes {
      decant_sqlite3_replace_content(handle, schema, $0.baseAddress, Int64($0.count)) == SQLITE_OK
    }
  }
}
