internal import DecantModel
internal import DecantSQLite
internal import FileNames
internal import Foundation

/// A copy of a store that contains its `-wal` or journal, made because opening the original would change it.
struct PrivateCopy {
  let path: String
  /// Sentences about changes that came from the log or journal, and about changes that were lost.
  let warnings: [String]

  static func make(
    of path: String, siblings: StoreSiblings, header: StoreFileHeader, in folder: String, seconds: Double
  ) throws(StoreError) -> PrivateCopy {
    var warnings: [String] = []
    if let log = siblings.log {
      let findings = try WriteAheadLog(log, path: path, pageSize: header.pageSize)
      try findings.checkMode(of: header, log: log, path: path)
      if let sentence = findings.sentence(log: log) { warnings.append(sentence) }
      if findings.lostFrames > 0 {
        warnings.append(
          "\(PathText.name(of: log)) is damaged after \(counted(findings.soundFrames, "page")). The changes in the "
            + "\(findings.lostFrames == 1 ? "page that follows" : "\(findings.lostFrames) pages that follow") are lost."
        )
      }
    }
    let isHot = try siblings.journal.map { journal throws(StoreError) in
      try refuseSuperJournal(journal, path: path)
      return try RollbackJournal.isHot(journal, path: path)
    }
    try FileCopy.makeFolder(folder)
    let copy = folder + "/source.sqlite"
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: copy + suffix)
    }
    try FileCopy.copy(path, to: copy)
    if let log = siblings.log { try FileCopy.copy(log, to: copy + "-wal") }
    if let journal = siblings.journal { try FileCopy.copy(journal, to: copy + "-journal") }
    try fold(copy, siblings: siblings, path: path, seconds: seconds)
    if let journal = siblings.journal, isHot == true {
      warnings.append("A rollback journal was left behind and applied: \(PathText.name(of: journal)).")
    }
    return PrivateCopy(path: copy, warnings: warnings)
  }

  /// Folds the log or journal into the copy, and checks that the copy is still the same store.
  private static func fold(
    _ copy: String, siblings: StoreSiblings, path: String, seconds: Double
  ) throws(StoreError) {
    guard let sibling = siblings.log ?? siblings.journal else { return }
    let alone = try identity(of: path, seconds: seconds)
    do {
      try fold(copy, seconds: seconds)
    } catch {
      throw StoreReader(path: path, seconds: seconds).judge(error)
    }
    if let alone, let together = try identity(of: copy, seconds: seconds), alone != together {
      throw .foreignLog(
        path: path, log: sibling, reason: "it holds the metadata of store \(together), not \(alone)")
    }
  }

  /// A connection with write access recovers the log or journal when it reads.
  ///
  /// The checkpoint moves the log into the file.
  private static func fold(_ copy: String, seconds: Double) throws(SQLiteError) {
    let database = try SQLiteDatabase(copy, mode: .readWrite)
    let patience = StoreReader(path: copy, seconds: seconds).patience
    try database.within(seconds: seconds, patience: patience) { () throws(SQLiteError) in
      _ = try database.integer("SELECT count(*) FROM sqlite_master")
      _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
      _ = try database.rows("PRAGMA journal_mode=DELETE")
    }
  }

  private static func identity(of path: String, seconds: Double) throws(StoreError) -> String? {
    do throws(SQLiteError) {
      return try uuid(of: path, seconds: seconds)
    } catch {
      if let failure = error.diskFailure { throw .disk(failure) }
      return nil
    }
  }

  private static func uuid(of path: String, seconds: Double) throws(SQLiteError) -> String? {
    let database = try SQLiteDatabase(path, mode: .immutable)
    let patience = StoreReader(path: path, seconds: seconds).patience
    return try database.within(seconds: seconds, patience: patience) { () throws(SQLiteError) in
      guard case .text(let uuid)? = try database.rows("SELECT Z_UUID FROM Z_METADATA LIMIT 1").first?.first
      else {
        return nil
      }
      return uuid
    }
  }

  /// Refuses a journal that ends with the name of a super-journal.
  ///
  /// SQLite reads and deletes the super-journal when it rolls back a transaction over several databases. A journal of
  /// unknown origin could name any of the user's files.
  private static func refuseSuperJournal(_ journal: String, path: String) throws(StoreError) {
    let file = try FileParts(journal)
    guard file.size >= 8 else { return }
    try file.seek(to: file.size - 8)
    guard try file.read(8) == [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7] else { return }
    throw .foreignLog(path: path, log: journal, reason: "it is part of a transaction over several files")
  }
}
