import DecantSQLite
import DecantTestSupport
import Foundation
import KeyedArchive

extension AlbumFixture {
  /// Changes the property list of the metadata.
  func changeMetadata(_ change: (inout [String: PropertyList]) -> Void) throws {
    let database = try SQLiteDatabase(store, mode: .readWrite)
    guard case .blob(let data)? = try database.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first,
      var entries = try PropertyList(parsing: data).dictionary
    else { return }
    change(&entries)
    try database.execute(
      "UPDATE Z_METADATA SET Z_PLIST = \(CachingStore.blob(PropertyList.dictionary(entries).binaryData()))")
  }
}

extension AlbumFixture {
  /// Puts bytes into the store's model cache.
  func setCache(_ content: Data) throws {
    let database = try SQLiteDatabase(store, mode: .readWrite)
    try database.execute("DELETE FROM Z_MODELCACHE")
    try database.prepare("INSERT INTO Z_MODELCACHE VALUES (?)").run([.blob(content)])
  }
}
