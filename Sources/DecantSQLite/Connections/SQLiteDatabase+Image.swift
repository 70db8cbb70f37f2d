internal import CSQLite
package import Foundation

/// Conversion between a database in memory and the bytes of its file.
extension SQLiteDatabase {
  /// Opens a separate database in memory with these bytes as its file.
  ///
  /// - Parameters:
  ///   - image: The bytes of a file that SQLite wrote.
  ///   - path: A name for messages.
  ///   - limit: The largest size in bytes. Beyond it, statements end with `SQLITE_FULL`.
  package convenience init(image: Data, named path: String, limit: Int) throws(SQLiteError) {
    try self.init(path, mode: .memory)
    try deserialize(image, as: "main", limit: limit)
    try execute("PRAGMA journal_mode=MEMORY")
  }

  /// Loads these bytes into the database “main” or into an attached database.
  package func deserialize(_ image: Data, as schema: String, limit: Int) throws(SQLiteError) {
    guard let bytes = sqlite3_malloc64(UInt64(max(1, image.count))) else {
      throw error(SQLITE_NOMEM, in: nil)
    }
    image.withUnsafeBytes { if let base = $0.baseAddress { memcpy(bytes, base, $0.count) } }
    // SQLite frees the bytes, even if it rejects them.
    let code = sqlite3_deserialize(
      handle, schema, bytes.assumingMemoryBound(to: UInt8.self), Int64(image.count), Int64(image.count),
      UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
    guard code == SQLITE_OK else { throw error(code, in: nil) }
    var bound = Int64(limit)
    _ = sqlite3_file_control(handle, schema, SQLITE_FCNTL_SIZE_LIMIT, &bound)
  }

  /// Gives access to the bytes of the database's file.
  ///
  /// The bytes aren't copied if the database began as an image.
  ///
  /// - Throws: `SQLITE_NOMEM`, and the errors of the body.
  package func withImage<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws {
    var size: Int64 = 0
    if let bytes = sqlite3_serialize(handle, "main", &size, UInt32(SQLITE_SERIALIZE_NOCOPY)) {
      return try body(UnsafeRawBufferPointer(start: bytes, count: Int(size)))
    }
    try image().withUnsafeBytes { bytes in try body(bytes) }
  }

  /// The bytes of the database's file.
  package func image() throws(SQLiteError) -> Data {
    var size: Int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else { throw error(SQLITE_NOMEM, in: nil) }
    return Data(
      bytesNoCopy: bytes, count: Int(size), deallocator: .custom { pointer, _ in sqlite3_free(pointer) })
  }
}
