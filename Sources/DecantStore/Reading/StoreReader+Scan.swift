internal import DecantSQLite
internal import Foundation

extension StoreReader {
  /// Reads a small store once from start to end, checks its pages and counts its rows.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file, if it is in memory.
  ///   - trees: Gives the trees of the file; `nil` if it has something that only SQLite can check.
  /// - Returns: `nil` if the file may be damaged, or only SQLite can check it.
  func scan(_ file: String, holding bytes: Data?, trees: () -> ScannedSchema?) throws(StoreError) -> StoreScan?
  {
    guard let trees = trees() else { return nil }
    if let bytes {
      guard let pages = PagedFile.open(file, holding: bytes) else { return nil }
      return try StoreScan.run(pages, trees) { false }
    }
    guard let pages = try PagedFile.open(file) else { return nil }
    return try StoreScan.run(pages, trees) { false }
  }
}
