internal import CSQLite
internal import DecantSQLite
internal import Foundation
internal import Synchronization

/// Keeps connections to in-memory databases, with their compiled statements, for further small stores.
///
/// Compiling the statements costs more than reading a small store. SQLite decides by the schema number in the header
/// whether compiled statements are still valid. So only stores with equal forms (`Form`) get the same number.
package final class KeptConnections: Sendable {
  /// The largest size of a source, in bytes.
  package static let mostBytes = 4 << 20
  /// The largest size of a schema, in bytes of its rows.
  private static let longestSchema = 256 << 10
  /// The largest number of kept destinations.
  ///
  /// A few are enough, because most stores of a family are migrated to one version.
  private static let mostDestinations = 4
  /// Reads the schema with texts as bytes: texts in different Unicode normal forms are different names and values.
  private static let schema =
    "SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), rootpage, CAST(sql AS BLOB) "
    + "FROM sqlite_master ORDER BY rowid"
  /// The largest size of a kept connection's database, in bytes.
  ///
  /// A connection with a larger database isn't kept, because SQLite wouldn't free that memory.
  private static let mostRoom = 2 * mostBytes

  /// The facts on which compiled statements depend: the statements stay valid for a store with an equal form.
  private struct Form: Equatable {
    var head: [UInt8]
    var rows: [[SQLiteValue]]
  }

  private struct Destination {
    let key: DestinationKey
    /// Kept alive so that no other object gets the same `ObjectIdentifier`.
    let empty: EmptyStore
    let connection: SQLiteConnection
  }

  private struct DestinationKey: Hashable {
    let empty: ObjectIdentifier
    let limit: Int
  }

  private struct Shelf {
    var source: SQLiteConnection?
    var destinations: [Destination] = []
    /// The form of the last source.
    var form: Form?
    /// The number of `form`, as written into headers.
    var formNumber: UInt32 = 1
    /// The number of the last content; each content gets another number.
    var change: UInt32 = 0
  }

  private let shelf = Mutex(Shelf())

  package init() {}

  /// Closes the connections.
  ///
  /// The number of the last form isn't used again, so that facts kept for that number are never used for a later
  /// source.
  func forget() {
    shelf.withLock { shelf in
      (shelf.source, shelf.destinations, shelf.form) = (nil, [], nil)
    }
  }

  struct Source {
    let database: SQLiteDatabase
    let image: StoreImage
    /// Sources with the same number have equal forms.
    let form: UInt32
  }

  /// Reads a file into a kept connection, or into a new one.
  ///
  /// - Parameter observer: See `SQLiteDatabase.observe`.
  /// - Returns: `nil` if this isn't possible, such as for a large file. The file is then to be opened in the usual way.
  func source(_ path: String, seconds: Double, observer: (@Sendable () -> Bool)?) -> Source? {
    guard var image = StoreImage(readingFrom: path, most: Self.mostBytes) else { return nil }
    let (change, formNumber, kept) = shelf.withLock { shelf in
      shelf.change &+= 1
      defer { shelf.source = nil }
      return (shelf.change, shelf.formNumber, shelf.source)
    }
    image.mark(change: change, form: formNumber)
    guard let database = Self.database(kept, image, path) else { return nil }
    let connection = database.connection
    connection.home = { [weak self] in self?.take($0) }
    database.observe(observer)
    guard
      let rows = try? database.within(
        seconds: seconds,
        { () throws(SQLiteError) in
          try database.rows(Self.schema)
        }),
      rows.joined().reduce(0, { $0 + $1.bytes }) <= Self.longestSchema,
      !rows.contains(where: Self.isStatistics)
    else {
      connection.isSpoiled = true
      return nil
    }
    let form = Form(head: image.form, rows: rows)
    let number = shelf.withLock { shelf in
      if shelf.form != form {
        // A number is never used for a second form.
        shelf.formNumber &+= 1
        shelf.form = form
      }
      return shelf.formNumber
    }
    if number != formNumber {
      let change = shelf.withLock { shelf in
        shelf.change &+= 1
        return shelf.change
      }
      image.mark(change: change, form: number)
      guard connection.replace("main", with: image.bytes) else {
        connection.isSpoiled = true
        return nil
      }
    }
    return Source(database: database, image: image, form: number)
  }

  /// SQLite reads tables of statistics together with the schema, so it would use the statistics of one store for the
  /// next store.
  private static func isStatistics(_ row: [SQLiteValue]) -> Bool {
    guard case .blob(let name) = row[1] else { return false }
    return String(decoding: name, as: UTF8.self).lowercased().hasPrefix("sqlite_stat")
  }

  private static func database(_ kept: SQLiteConnection?, _ image: StoreImage, _ path: String)
    -> SQLiteDatabase?
  {
    if let kept, kept.replace("main", with: image.bytes) { return SQLiteDatabase(kept, named: path) }
    guard let database = try? SQLiteDatabase(image: image.bytes, named: path, limit: 2 * mostBytes),
      (try? database.execute(ReadSettings.text)) != nil
    else { return nil }
    return database
  }

  /// An empty store with a source attached as “source”.
  ///
  /// - Parameters:
  ///   - path: A name for messages.
  ///   - limit: The largest size in bytes. A statement that needs more ends with `SQLITE_FULL`.
  func destination(
    _ empty: EmptyStore, named path: String, limit: Int, source: StoreImage
  ) throws(SQLiteError) -> SQLiteDatabase {
    let key = DestinationKey(empty: ObjectIdentifier(empty), limit: limit)
    let kept = shelf.withLock { shelf in
      shelf.destinations.firstIndex { $0.key == key }.map { shelf.destinations.remove(at: $0).connection }
    }
    let database: SQLiteDatabase
    if let kept, kept.replace("main", with: empty.bytes), kept.replace("source", with: source.bytes) {
      database = SQLiteDatabase(kept, named: path)
    } else {
      database = try SQLiteDatabase(image: empty.bytes, named: path, limit: limit)
      try database.execute("ATTACH ':memory:' AS source")
      try database.deserialize(source.bytes, as: "source", limit: 2 * Self.mostBytes)
    }
    database.connection.home = { [weak self] in self?.take($0, key, empty) }
    return database
  }

  /// Detaches a connection from its last user, and says whether it can be used again.
  private static func isFit(_ connection: SQLiteConnection) -> Bool {
    connection.home = nil
    connection.deadline.observer = nil
    return !connection.isSpoiled && !connection.gate.isClosed && connection.hasRoomForStatements
      && sqlite3_get_autocommit(connection.handle) != 0 && connection.size(of: "main") <= mostRoom
  }

  private func take(_ connection: SQLiteConnection) {
    guard Self.isFit(connection) else { return }
    shelf.withLock { $0.source = connection }
  }

  private func take(_ connection: SQLiteConnection, _ key: DestinationKey, _ empty: EmptyStore) {
    guard Self.isFit(connection) else { return }
    shelf.withLock { shelf in
      shelf.destinations.removeAll { $0.key == key }
      shelf.destinations.append(Destination(key: key, empty: empty, connection: connection))
      if shelf.destinations.count > Self.mostDestinations { shelf.destinations.removeFirst() }
    }
  }
}
