internal import Foundation

/// A copy of a store with its `-wal` or journal folded in, made because opening the original would change it.
enum PrivateCopy {
  /// What lies beside a store and has to be folded in.
  struct Siblings {
    let log: String?
    let journal: String?

    init(of path: String) {
      func existing(_ suffix: String) -> String? {
        var status = stat()
        guard lstat(path + suffix, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
          return nil
        }
        return path + suffix
      }
      log = existing("-wal")
      journal = existing("-journal")
    }

    var isEmpty: Bool { log == nil && journal == nil }
  }

  /// Copies store and siblings into `folder`, folds them in, and returns the path of the copy.
  static func make(
    of path: String, siblings: Siblings, header: StoreFileHeader, in folder: String
  ) throws(StoreError) -> String {
    try make(folder: folder)
    let copy = folder + "/source.sqlite"
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: copy + suffix)
    }
    try FileCopy.copy(path, to: copy)
    if let log = siblings.log {
      try checkHeader(of: log, path: path, header: header)
      try FileCopy.copy(log, to: copy + "-wal")
    }
    if let journal = siblings.journal { try FileCopy.copy(journal, to: copy + "-journal") }
    do {
      let alone = siblings.log == nil ? nil : try? uuid(of: path)
      try fold(copy)
      if let alone, let log = siblings.log, let together = try? uuid(of: copy), alone != together {
        throw StoreError.foreignLog(
          path: path, log: log, reason: "it holds the metadata of store \(together), not \(alone)")
      }
    } catch let error as StoreError {
      throw error
    } catch let error as SQLiteError {
      guard error.isDamage, let log = siblings.log else { throw .sqlite(error) }
      throw .foreignLog(path: path, log: log, reason: "with it the store is damaged (\(error.message))")
    } catch {
      throw .files(path: copy, action: "prepared", errno: 0, reason: "\(error)")
    }
    return copy
  }

  /// Reading from a connection that may write recovers the log or journal; the checkpoint moves it into the file.
  private static func fold(_ copy: String) throws(SQLiteError) {
    let database = try SQLiteDatabase(copy, mode: .readWrite)
    _ = try database.integer("SELECT count(*) FROM sqlite_master")
    _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = try database.rows("PRAGMA journal_mode=DELETE")
  }

  private static func uuid(of path: String) throws(SQLiteError) -> String? {
    let database = try SQLiteDatabase(path, mode: .immutable)
    guard case .text(let uuid)? = try database.rows("SELECT Z_UUID FROM Z_METADATA").first?.first else {
      return nil
    }
    return uuid
  }

  /// A log starts with its magic number and the page size of its database.
  private static func checkHeader(
    of log: String, path: String, header: StoreFileHeader
  ) throws(StoreError) {
    guard let handle = FileHandle(forReadingAtPath: log), let bytes = try? handle.read(upToCount: 32) else {
      throw .unreadable(path: log, reason: "it can't be opened")
    }
    let start = [UInt8](bytes)
    guard start.count == 32 else {
      throw .foreignLog(path: path, log: log, reason: "it is no write-ahead log (\(start.count) bytes)")
    }
    let magic = start[0..<4].reduce(0) { $0 << 8 | Int($1) }
    guard magic == 0x377f_0682 || magic == 0x377f_0683 else {
      throw .foreignLog(path: path, log: log, reason: "it is no write-ahead log")
    }
    let pageSize = start[8..<12].reduce(0) { $0 << 8 | Int($1) }
    guard pageSize == header.pageSize else {
      throw .foreignLog(
        path: path, log: log, reason: "its pages have \(pageSize) bytes, the store's \(header.pageSize)")
    }
  }

  private static func make(folder: String) throws(StoreError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .files(path: folder, action: "made", errno: errno, reason: String(cString: strerror(errno)))
    }
  }
}
