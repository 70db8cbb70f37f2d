package import DecantModel
package import DecantSQLite
internal import Foundation

/// Why a file can't be used as a store, with the text for the report.
package enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  case noSuchFile(path: String)
  case notARegularFile(path: String)
  case unreadable(path: String, reason: String)
  case empty(path: String)
  case xmlStore(path: String)
  case notXMLStore(path: String, root: String)
  case damagedXML(path: String, line: Int, reason: String)
  case xmlContent(path: String, object: String, entity: String, property: String?, reason: String)
  case binaryStore(path: String)
  case notSQLite(path: String)
  case probablyEncrypted(path: String)
  case truncated(path: String, expected: Int, actual: Int)
  case damaged(path: String, findings: [String])
  case foreignLog(path: String, log: String, reason: String)
  case otherForm(path: String, sentence: String, command: String)
  case tooSlow(path: String, seconds: Int)
  case notCoreData(path: String, missing: String)
  case noVersionHashes(path: String, kind: SourceStore.Kind = .sqlite)
  case damagedMetadata(path: String, reason: String)
  case tablesOfAnotherVersion(path: String, version: String, missing: [String])
  /// The store lacks tables or columns, and the names of all of them are open points.
  case unsettledTables(path: String, version: String, open: [StoreLayout.Unsettled])
  case unknownTables(path: String, tables: [String])
  case viewsAndTriggers(path: String, names: [String])
  case cloudKit(path: String, tables: [String])
  case unsupportedModel(path: String, version: String, reason: String)
  case entityNumbers(path: String, entity: String, expected: Int, found: String)
  /// `number` is `nil` if the rows have no entity number; `reason` says why the rows don't belong in the table.
  case strayRows(path: String, table: String, number: Int64?, count: Int, reason: String)
  case strayKeys(path: String, table: String)
  case withoutRowID(path: String, tables: [String])
  case sqlite(SQLiteError)
  case files(path: String, action: String, errno: Int32, reason: String)
  /// The disk, or the network to it, has failed; the store may be valid.
  case disk(DiskFailure)

  package var description: String {
    switch self {
    case .noSuchFile(let path): "\(path): no such file."
    case .notARegularFile(let path): "\(path) is not a regular file."
    case .unreadable(let path, let reason): "\(path) can't be read: \(reason)."
    case .empty(let path): "\(path) is empty (0 bytes)."
    case .xmlStore(let path):
      "\(path) is an XML file, but an SQLite store is needed here."
    case .notXMLStore(let path, let root):
      "\(path) is an XML file but not a Core Data store: its root element is “\(root)”, not “database”."
    case .damagedXML(let path, let line, let reason): "\(path) is damaged at line \(line): \(reason)."
    case .xmlContent(let path, let object, let entity, let property, let reason):
      "\(path): object \(object) of entity “\(entity)”\(property.map { ", property “\($0)”" } ?? ""): \(reason)."
    case .binaryStore(let path):
      "\(path) is a binary property list, such as a Binary store (NSBinaryStoreType); Decant takes SQLite and XML "
        + "stores."
    case .notSQLite(let path): "\(path) is not an SQLite database."
    case .probablyEncrypted(let path):
      "\(path) is not an SQLite database; its first page looks like random bytes, so it is probably encrypted."
    case .truncated(let path, let expected, let actual):
      "\(path) is truncated: its header promises \(counted(expected, "byte")), the file has \(grouped(actual))."
    case .damaged(let path, let findings):
      "\(path) is damaged: \(findings.prefix(3).joined(separator: "; "))"
        + (findings.count > 3 ? " (and \(findings.count - 3) more)." : ".")
    case .foreignLog(let path, let log, let reason): "\(log) does not belong to \(path): \(reason)."
    case .otherForm(let path, let sentence, _): "\(path) can't be used. \(sentence)"
    case .tooSlow(let path, let seconds):
      "\(path) can't be checked: its disk was too slow to read it in \(seconds) s."
    case .notCoreData(let path, let missing):
      "\(path) is an SQLite database but not a Core Data store: it has no \(missing)."
    case .noVersionHashes(let path, let kind):
      "\(path) is a Core Data \(kind.name) store without version hashes, as Mac OS X 10.4 wrote them; its model version can't be "
        + "recognised."
    case .damagedMetadata(let path, let reason): "\(path): the metadata in Z_METADATA can't be read: \(reason)."
    case .tablesOfAnotherVersion(let path, let version, let missing):
      "\(path): the metadata say “\(version)”, but the tables are of another version: "
        + "\(missing.prefix(4).joined(separator: ", "))"
        + (missing.count > 4
          ? " and \(missing.count - 4) more are missing."
          : missing.count == 1 ? " is missing." : " are missing.")
    case .unsettledTables(let path, let version, let open):
      "\(path) is of version “\(version)”, and how Core Data stores this is not known for certain: "
        + "\(open.map(\.description).joined(separator: "; "))."
    case .unknownTables(let path, let tables):
      "\(path) has tables that Core Data doesn't make for this model: \(tables.joined(separator: ", "))."
    case .viewsAndTriggers(let path, let names):
      "\(path) has views or triggers that Core Data doesn't make: \(names.joined(separator: ", "))."
    case .cloudKit(let path, let tables):
      "\(path) is mirrored by CloudKit (\(tables.count) \(tables.count == 1 ? "table" : "tables") such as \(tables.first ?? "ANSCK…"))."
    case .unsupportedModel(let path, let version, let reason):
      "\(path) is of version “\(version)”, whose tables can't be determined: \(reason)."
    case .entityNumbers(let path, let entity, let expected, let found):
      "\(path): entity “\(entity)” has the number \(found) in Z_PRIMARYKEY where the model gives \(expected)."
    case .strayRows(let path, let table, let number, let count, let reason):
      "\(path): table \(table) has \(counted(count, "row")) "
        + (number.map { "of entity number \($0), which does not belong there" } ?? "without an entity number")
        + " (\(reason))."
    case .strayKeys(let path, let table):
      "\(path): table \(table) has rows whose key (Z_PK) is not a whole number from 1 up."
    case .withoutRowID(let path, let tables):
      "\(path) has tables that Core Data never makes, because Z_PK isn't their rowid or they are WITHOUT ROWID: "
        + "\(tables.joined(separator: ", "))."
    case .sqlite(let error): error.diskFailure.map { "\($0)." } ?? "\(error)."
    case .files(let path, let action, EFBIG, _):
      "\(path) can't be \(action): it would be larger than the limit on file sizes allows."
    case .files(let path, let action, _, let reason): "\(path) can't be \(action): \(reason)."
    case .disk(let failure): "\(failure)."
    }
  }

  /// A sentence that says what to do about the error.
  package var advice: String {
    switch self {
    case .noSuchFile: "Check the path."
    case .notARegularFile: "Give the store file itself, not a folder, link or device."
    case .unreadable: "Check the permissions."
    case .empty: "Copy the store again, from an application that has closed it."
    case .xmlStore: "Give an SQLite store; a migration makes one from an XML store."
    case .notXMLStore: "Give the store file itself."
    case .damagedXML: "Copy it again completely, or restore it from a backup."
    case .xmlContent:
      "The file was changed by another program, or is of another model than its hashes say; restore it from a backup."
    case .binaryStore: Self.binaryAdvice
    case .notSQLite:
      "Give the store file itself, with its -wal beside it. " + Self.binaryAdvice
    case .probablyEncrypted: "Decrypt it with its key first (SQLCipher: sqlcipher_export)."
    case .truncated: "Copy it again completely, together with its -wal if there is one."
    case .damaged:
      "Restore it from a backup, copy it again together with its -wal if there is one, or recover it with "
        + "“sqlite3 FILE .recover” and check the result."
    case .foreignLog:
      "Deliver the -wal or -journal that was beside the store, or none if the store had been closed."
    case .otherForm(_, _, let command): "Fix it with: \(command)"
    case .tooSlow: "Check the disk and the network; the store itself may be valid."
    case .notCoreData: "Only stores that Core Data has written can be migrated."
    case .noVersionHashes: "Open and save it once with an application built for Mac OS X 10.5 or later."
    case .damagedMetadata: "Restore the store from a backup."
    case .tablesOfAnotherVersion: "The store was changed by another program; restore it from a backup."
    case .unsettledTables(_, _, let open): Self.advice(forUnsettled: open)
    case .unknownTables, .viewsAndTriggers:
      "Remove them from a copy of the store if they are not needed, or migrate the store with the application that made them."
    case .cloudKit:
      "Write cloudKit: \"reset\" into the family's family.json5 to drop the mirroring tables. Devices then "
        + "start mirroring from the beginning."
    case .unsupportedModel: "Correct the names in the model, or let the application migrate the store."
    case .strayRows:
      "The store was changed by another program: restore it from a backup, or write strayRows: \"quarantine\" into the "
        + "family's family.json5, which puts such rows aside and migrates the rest."
    case .entityNumbers, .strayKeys, .withoutRowID:
      "The store was changed by another program; restore it from a backup."
    case .sqlite(let error):
      error.isDamage
        ? "Restore the store from a backup."
        : error.diskFailure != nil
          ? DiskFailure.advice
          : error.isNoRoom ? error.roomAdvice : "Try again."
    case .files(_, _, EFBIG, _): FileSizeLimit.advice
    case .files: "Check permissions and free space, then try again."
    case .disk: DiskFailure.advice
    }
  }

  /// What to do about a store whose own tables don't settle all open points.
  package static func advice(forUnsettled open: [StoreLayout.Unsettled]) -> String {
    open.allSatisfy(\.canBeSettled)
      ? "The store's own tables give no answer, so another genuine store of that version wouldn't either. Let the "
        + "application migrate the store; if another program has changed the store, restore it from a backup."
      : "Not even a genuine store settles that, so a store of such a version can't be read or written; let the "
        + "application migrate it."
  }

  /// The format of Binary stores has no public description, so the application has to convert the file.
  private static let binaryAdvice =
    "If it is a Binary store, let the application that wrote it make an SQLite store of it first "
    + "(migratePersistentStore with NSSQLiteStoreType)."

  /// Whether another try may succeed without a change of the store.
  package var mayGetBetter: Bool {
    switch self {
    case .unreadable, .files, .tooSlow, .disk: true
    case .sqlite(let error): error.mayGetBetter
    default: false
    }
  }

  /// The disk failure that caused the error; `nil` for other errors.
  package var diskFailure: DiskFailure? {
    switch self {
    case .disk(let failure): failure
    case .sqlite(let error): error.diskFailure
    default: nil
    }
  }
}

extension StoreError {
  /// The error for a file that can't be read because of an errno.
  package static func unreadable(_ path: String, _ code: Int32) -> StoreError {
    DiskFailure.isOne(code)
      ? .disk(DiskFailure(path: path, action: "read", code: code))
      : .unreadable(path: path, reason: String(cString: strerror(code)))
  }
}
