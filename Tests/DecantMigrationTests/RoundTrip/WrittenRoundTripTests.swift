import DecantModel
import DecantSQLite
import DecantStore
import DecantSynthesis
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Stores that the tests write are rewritten in their own version and compared byte by byte.
@Suite("Rewritten stores of the tests") struct WrittenRoundTripTests {
  /// Every attribute type, both kinds of order, inheritance, uniqueness, indexes, external data.
  private static let model = """
    Album
      title String
      code Int32
      images ->> Image.album ordered
      cover -> Item
      tags ->> Tag.albums ordered
      friends ->> Album.fans
      fans ->> Album.friends
      unique code
    Item*
      small Int16?
      middle Int32?
      large Int64?
      flag Bool?
      real Double?
      single Float?
      price Decimal?
      text String? indexed
      moment Date?
      bytes Binary?
      thing Transformable?
      passing String? transient
    Image < Item
      caption String?
      album -> Album.images
      outside Binary? external
    Text < Item
      caption String?
      body Binary? external
    Tag
      name String
      albums ->> Album.tags
      boss -> Tag.staff
      staff ->> Tag.boss
      unique name
    """
  /// The model with further features that only newer frameworks have.
  private static let newer =
    model + """

      List
        identifier UUID?
        link URI?
        count Int64? derived 'entries.@count'
        saved Date? derived 'now()'
        entries ->> Entry.list ordered
      Entry
        list -> List.entries
      """

  /// A workshop whose source is a synthetic store.
  private func shop(_ text: String, framework: Int, rows: Int = 300) throws -> Workshop {
    let shop = try Workshop(text)
    try FileManager.default.createDirectory(
      at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = try SyntheticStore.write(
      model: try shop.model("V1"), framework: FrameworkVersion(framework), rows: rows, seed: 7,
      to: shop.source.path)
    return shop
  }

  /// Changes the source by plain SQL.
  ///
  /// No `-wal` is left.
  private func change(_ shop: Workshop, _ sql: String) throws {
    let database = try SQLiteDatabase(shop.source.path, mode: .readWrite)
    let mode = try database.rows("PRAGMA journal_mode=DELETE")
    try #require(mode == [[.text("delete")]])
    try database.execute(sql)
    _ = try database.rows("PRAGMA journal_mode=WAL")
  }

  /// Rewrites the store, and compares both stores and the other files beside them.
  ///
  /// Returns the migration's report.
  @discardableResult
  private func expectEqual(_ shop: Workshop, chunkSize: Int? = 37, isSound: Bool = true) throws
    -> MigrationReport
  {
    let report =
      isSound
      ? try shop.migrate(rewrite: true, chunkSize: chunkSize).report
      : try Migration.run(shop.job(rewrite: true, chunkSize: chunkSize))
    let source = try SourceStore(shop.source.path, scratch: shop.folder.path("one"))
    let output = try SourceStore(shop.output.path, scratch: shop.folder.path("two"))
    let comparison = try ExactComparison(source, output)
    #expect(comparison.differences == [])
    #expect(source.statements == output.statements)
    let files = try FolderPicture(shop.source.deletingLastPathComponent())
    let copies = try FolderPicture(shop.output.deletingLastPathComponent())
    #expect(files.files.filter { $0.key != "Store.sqlite" } == copies.files.filter { $0.key != "Store.sqlite" })
    return report
  }

  @Test("everything that an older framework can store stays equal", arguments: [419, 519, 641, 754, 847, 866])
  func everything(framework: Int) throws {
    try expectEqual(try shop(Self.model, framework: framework))
  }

  @Test("everything that a newer framework can store stays equal", arguments: [977, 1044, 1344, 1523])
  func everythingNew(framework: Int) throws {
    let shop = try shop(Self.newer, framework: framework)
    try change(shop, HistoryTests.history)
    let report = try expectEqual(shop)
    #expect(report.notes.filter { $0.hasPrefix("Persistent history is kept") }.count == 1)
    #expect(report.warnings == [])
  }

  @Test func theStoreHasAllThatIsToBeKept() throws {
    let shop = try shop(Self.newer, framework: 1344)
    let store = try SourceStore(shop.source.path, scratch: shop.folder.path("scratch"))
    for query in [
      "ZITEM WHERE typeof(ZPRICE) = 'real'", "ZITEM WHERE ZFLAG = 1", "ZITEM WHERE ZTEXT IS NULL",
      "ZITEM WHERE substr(ZOUTSIDE, 1, 1) = x'01'", "ZITEM WHERE Z_FOK_ALBUM IS NOT NULL",
      "ZALBUM WHERE Z3_COVER IN (4, 5)", "Z_1TAGS WHERE Z_FOK_7TAGS > 0", "Z_1FANS", "ZLIST WHERE ZCOUNT > 0",
    ] {
      #expect(try store.database.integer("SELECT count(*) FROM \(query)") > 0, "\(query)")
    }
  }

  @Test func oddValuesStayAsTheyAre() throws {
    let shop = try shop(Self.model, framework: 1344, rows: 60)
    try change(
      shop,
      """
      UPDATE ZITEM SET Z_OPT = 17, ZPRICE = 3 WHERE Z_PK % 5 = 0;
      UPDATE ZITEM SET Z_OPT = NULL, ZPRICE = 3.5, ZSMALL = 9223372036854775807 WHERE Z_PK % 5 = 1;
      UPDATE ZITEM SET ZPRICE = 'much', ZFLAG = 7, ZTEXT = x'00FF', ZREAL = 4, ZMOMENT = -1e300 WHERE Z_PK % 5 = 2;
      UPDATE ZITEM SET ZTEXT = 'a' || char(0) || 'b', ZBYTES = 'text', ZTHING = 12, ZLARGE = 1.5 WHERE Z_PK % 5 = 3;
      UPDATE ZITEM SET ZCAPTION1 = 'of the other entity', ZCAPTION = 'as well', ZBODY = x'0101' WHERE Z_PK % 5 = 4;
      UPDATE ZITEM SET Z_FOK_ALBUM = Z_PK % 9 - 4 WHERE ZALBUM IS NOT NULL;
      UPDATE ZTAG SET Z_PK = Z_PK + 4000000000, ZBOSS = NULL;
      DELETE FROM Z_1TAGS;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 5000000000 WHERE Z_SUPER = 0;
      """)
    try expectEqual(shop, chunkSize: 3, isSound: false)
  }
}
