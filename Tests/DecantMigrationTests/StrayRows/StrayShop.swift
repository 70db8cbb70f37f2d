import DecantModel
import DecantSQLite
import DecantStore
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantReport

/// A store with rows that belong to no entity of their table.
///
/// Every kind of reference leads to such a row.
///
/// Notes 7 and 8, folder 3, tag 4 and item 3 are such rows.
enum StrayShop {
  static let model = """
    Folder
      name String?
      notes ->> Note.folder ordered
      own ->> Tag
    Item*
      label String?
    Leaf < Item
    Note
      text String?
      data Binary? external
      folder -> Folder.notes
      item -> Item
      tags ->> Tag.notes
    Tag
      notes ->> Note.tags
    """
  static let external = (stray: file("A"), proper: file("B"))
  private static func file(_ letter: String) -> String { "01234567-89AB-CDEF-0123-45678\(letter)ABCDEF" }
  private static func reference(_ name: String) -> String {
    "x'02" + name.utf8.map { String($0, radix: 16) }.joined() + "00'"
  }

  /// Entities are Folder 1, Item 2, Leaf 3, Note 4, Tag 5.
  static let rows = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'in'), (2, 1, 1, 'out'), (3, 1, 1, 'stray');
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (1, 3, 1, 'a'), (3, 2, 1, 'abstract');
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZFOLDER, Z_FOK_FOLDER, ZITEM, Z2_ITEM, ZDATA) VALUES
      (1, 4, 1, 'a', 1, 4096, 1, 3, \(reference(external.proper))), (2, 4, 1, 'b', 1, 2048, 3, 2, NULL),
      (3, 4, 1, 'c', 3, 2048, NULL, NULL, NULL), (7, 4, 5, 'seven', 1, 3072, 1, 3, \(reference(external.stray))),
      (8, 4, 1, 'eight', 3, 3072, NULL, NULL, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, Z1OWN) VALUES (1, 5, 1, 1), (2, 5, 1, 3), (4, 5, 1, 2);
    INSERT INTO Z_4TAGS (Z_4NOTES, Z_5TAGS) VALUES (1, 1), (1, 4), (7, 1), (8, 4), (2, 2);
    """
  /// Changes that another program could make: they make four rows stray.
  static let spoiled = """
    UPDATE ZNOTE SET Z_ENT = 77 WHERE Z_PK = 7; UPDATE ZNOTE SET Z_ENT = 1 WHERE Z_PK = 8;
    UPDATE ZFOLDER SET Z_ENT = NULL WHERE Z_PK = 3; UPDATE ZTAG SET Z_ENT = 'tag' WHERE Z_PK = 4;
    """

  /// A workshop with a store of `V1`.
  ///
  /// The statements `finally` change the store last.
  ///
  /// Without `spoiled`, only item 3 is a stray row.
  static func shop(
    _ after: String = "\(model)\n more String?", family: String = "{ strayRows: \"quarantine\" }",
    finally: String = spoiled
  ) throws -> Workshop {
    let shop = try Workshop(model, after, family: family)
    try shop.makeStore(finally: finally, rows)
    for name in [external.stray, external.proper] {
      try shop.folder.write("of \(name)", to: "in/.Store_SUPPORT/_EXTERNAL_DATA/\(name)")
    }
    return shop
  }

  /// The expected objects for the unchanged model.
  static let lines = [
    "Folder#1 name='in' notes=(Note#2 Note#1) own=[Tag#1]", "Folder#2 name='out'", "Leaf#1 label='a'",
    "Note#1 data=x02\(external.proper.utf8.map { String($0, radix: 16) }.joined())00 text='a' folder=Folder#1 "
      + "item=Leaf#1 tags=[Tag#1]",
    "Note#2 text='b' folder=Folder#1 tags=[Tag#2]", "Note#3 text='c'", "Tag#1 notes=[Note#1]",
    "Tag#2 notes=[Note#2]",
  ]

  /// The rows of the side store.
  static func asideRows(_ path: String) throws -> [String] {
    let store = try SQLiteDatabase(path, mode: .immutable)
    return try ["ZFOLDER", "ZITEM", "ZNOTE", "ZTAG", "Z_4TAGS"].flatMap { table in
      try store.rows("SELECT * FROM \(table) ORDER BY 1, 2").map {
        "\(table) " + $0.map(LogicalStore.text).joined(separator: " ")
      }
    }
  }

  /// The same rows in the source.
  static func sourceRows(_ shop: Workshop) throws -> [String] {
    let keys = ["ZFOLDER": "3", "ZITEM": "3", "ZNOTE": "7, 8", "ZTAG": "4"]
    let store = try SQLiteDatabase(shop.source.path, mode: .immutable)
    return try ["ZFOLDER", "ZITEM", "ZNOTE", "ZTAG"].flatMap { table in
      try store.rows("SELECT * FROM \(table) WHERE Z_PK IN (\(keys[table] ?? "")) ORDER BY 1").map {
        "\(table) " + $0.map(LogicalStore.text).joined(separator: " ")
      }
    } + ["Z_4TAGS 1 4", "Z_4TAGS 7 1", "Z_4TAGS 8 4"]
  }

  static func path(_ shop: Workshop, _ ending: String) -> String {
    shop.output.deletingPathExtension().path + ".quarantine-source" + ending
  }
}

/// One entry of the list of stray rows.
struct StrayEntry: Decodable {
  struct Reason: Decodable { var words: String }
  /// An entity number: a number, a text, or nothing.
  struct Number: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      let number = try? value.decode(Int.self)
      text = if let number { String(number) } else { "'\(try value.decode(String.self))'" }
    }
  }

  var table: String
  var entity: String?
  var number: Number?
  var key: Int
  var reasons: [Reason]
  var referrers: [String: [String]]?

  /// The entry as `ZNOTE#8 Folder 1: entity “Folder” has another table < Note.folder=Note/p1`.
  var line: String {
    let from = (referrers ?? [:]).sorted { $0.key < $1.key }.map { name, objects in
      " \(name)=\(objects.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }.joined(separator: " "))"
    }.joined()
    return
      "\(table)#\(key) \(entity ?? "-") \(number?.text ?? "nil"): \(reasons.map(\.words).joined(separator: ", "))"
      + (from.isEmpty ? "" : " <\(from)")
  }

  private struct List: Decodable {
    var store: String
    var quarantine: String
    var objects: [StrayEntry]
  }

  static func lines(_ shop: Workshop) throws -> [String] {
    let list = try JSONDecoder().decode(
      List.self, from: Data(contentsOf: URL(fileURLWithPath: StrayShop.path(shop, ".json"))))
    let aside = try shop.side()
    #expect(list.store == Workshop.uuid && list.quarantine == aside.metadata.uuid)
    #expect(list.quarantine != Workshop.uuid && list.quarantine != QuarantineStore.uuid(of: Workshop.uuid))
    return list.objects.map(\.line)
  }
}

extension Workshop {
  /// The side store, which has the source's version.
  func side() throws -> SourceStore {
    let store = try SourceStore(
      StrayShop.path(self, ".sqlite"), scratch: folder.path("side-\(UUID().uuidString)"))
    let layout = try store.layout(for: try model("V1"), version: "V1")
    #expect(store.metadata.versionHashes == layout.model.entityVersionHashes)
    #expect(try store.rows("PRAGMA integrity_check") == [[.text("ok")]])
    return store
  }

  /// Runs a job over a source with stray rows and reads the result.
  func withoutStrays(chunkSize: Int? = nil, rewrite: Bool = false) throws -> (
    report: MigrationReport, lines: [String]
  ) {
    let before = try FolderPicture(source.deletingLastPathComponent())
    let report = try Migration.run(job(rewrite: rewrite, chunkSize: chunkSize))
    #expect(try FolderPicture(source.deletingLastPathComponent()) == before, "the source folder changed")
    #expect(!FileManager.default.fileExists(atPath: work.path), "the work folder is still there")
    let result = try read(output, report.targetVersion)
    #expect(result.faults == [])
    for rows in report.steps.flatMap(\.entities) {
      #expect(
        rows.made + rows.shared + rows.withoutValue + rows.filtered + rows.refused + rows.leftOut == rows.source
      )
    }
    return (report, result.lines)
  }
}
