internal import DecantModel
internal import Foundation

/// Checks a `-journal` before SQLite reads it.
///
/// SQLite skips unreadable parts and reports no error. The pages that an unfinished transaction had changed would then
/// stay changed (sqlite.org, “Database File Format”, 3).
enum RollbackJournal {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  private static let headerSize = 28
  /// The smallest size of a disk sector, in bytes; the header fills a sector.
  private static let smallestSector = 512

  /// Whether SQLite will roll changes back.
  ///
  /// It is false if the file is empty, or if its header is all zeros because the transaction has finished.
  ///
  /// - Parameter path: The store, for messages.
  /// - Throws: `StoreError.foreignLog` for a file that isn't a journal, or is shorter than the smallest sector;
  ///   `unreadable` or `disk` for a file that can't be read.
  static func isHot(_ journal: String, path: String) throws(StoreError) -> Bool {
    let file = try FileParts(journal)
    let (size, data) = (file.size, try file.read(headerSize))
    if data.allSatisfy({ $0 == 0 }) { return false }
    guard data.starts(with: magic.prefix(data.count)) else {
      throw .foreignLog(path: path, log: journal, reason: "it isn't a rollback journal")
    }
    guard size >= smallestSector else {
      throw .foreignLog(
        path: path, log: journal, reason: "it is a rollback journal that ends after \(counted(size, "byte"))")
    }
    return true
  }
}
