package import DecantSQLite
internal import DecantStore

extension SourceStore {
  /// A further connection with the store attached as `source`, for reading beside the connection that writes.
  ///
  /// - Parameters:
  ///   - name: The connection's name in messages.
  ///   - externalFolder: The folder of the store's external files.
  ///   - isShared: Whether several threads may use the connection at a time.
  package func connection(
    _ name: String, externalFolder: String, isShared: Bool = false
  ) throws(SQLiteError) -> SQLiteDatabase {
    let database = try SQLiteDatabase(name, mode: .memory, isShared: isShared)
    try ExternalDataFunction.register(in: database, folder: externalFolder)
    try database.attachImmutable(readPath, as: "source")
    return database
  }
}
