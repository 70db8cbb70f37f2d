import CommandSupport
import DecantModel
import DecantSQLite
import DecantTestSupport
import Foundation
import Testing

@testable import DecantCommand
@testable import DecantConsole

@Suite("inspect: model cache, history, external data and file")
struct InspectDetailTests {
  private struct Shown: Decodable {
    struct Entity: Decodable {
      let name: String
      let rows: Int
      let isAbstract: Bool?
    }
    struct File: Decodable {
      let pageSize: Int
      let pageCount: Int
      let freePages: Int
      let autoVacuum: String
      let encoding: String
    }
    struct Cache: Decodable {
      let state: String
      let entities: Int?
    }
    struct History: Decodable {
      let transactions: Int
      let changes: Int
      let oldest: String?
      let newest: String?
      let authors: [String]
      let bundles: [String]
    }
    struct External: Decodable {
      let inline: Int
      let references: Int
      let missing: Int
      let unused: Int?
    }
    let storeType: String
    let frameworkSystem: String?
    let entities: [Entity]
    let file: File?
    let modelCache: Cache?
    let history: History?
    let externalData: External?
  }

  private func shown(_ arguments: [String]) throws -> Shown {
    let run = Captured(["inspect"] + arguments + ["--json"])
    #expect(run.code == 0, "\(run.messages)")
    return try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8))
  }

  @Test("the model cache tells which entities are abstract; without a cache the catalogue does")
  func cache() throws {
    let fixture = try AlbumFixture()
    let without = try shown([fixture.store])
    #expect(without.modelCache?.state == "absent")
    #expect(without.entities.allSatisfy { $0.isAbstract == nil })
    #expect(
      try shown([fixture.store, "--models", fixture.catalogue]).entities.allSatisfy { $0.isAbstract == false })
    let model = try ModelBundle.read(at: URL(fileURLWithPath: fixture.model)).currentVersion().model
    try fixture.setCache(DeflateWriter.stored(CompiledModelWriter.data(model, as: .cacheWithCopies)))
    let with = try shown([fixture.store])
    #expect(with.modelCache?.state == "readable")
    #expect(with.modelCache?.entities == 3)
    #expect(with.entities.allSatisfy { $0.isAbstract == false })
    #expect(Captured(["inspect", fixture.store]).lines.contains("Model cache    of this version, 3 entities"))
  }

  @Test("history is shown with dates and writers, its entities apart from those of the model")
  func history() throws {
    let fixture = try AlbumFixture()
    #expect(try shown([fixture.store]).history == nil)
    try fixture.change(
      """
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZENTITY INTEGER, ZTRANSACTIONID INTEGER );
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER,
        ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR );
      CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNAME VARCHAR );
      INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 'sync'), (2, 16003, 'org.example.album'), (3, 16003, 'nobody');
      INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 2, 0.0, NULL), (2, 16002, NULL, 2, 86400, 'app'), (3, 16002, 99, NULL, 'x', x'00');
      INSERT INTO ACHANGE VALUES (1, 16001, 1, 1), (2, 16001, 2, 2);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2), (16002, 'TRANSACTION', 0, 3), (16003, 'TRANSACTIONSTRING', 0, 3)
      """)
    let shown = try shown([fixture.store])
    #expect(shown.entities.map(\.name) == ["Photo", "Place", "Tag"])
    #expect(shown.history?.transactions == 3)
    #expect(shown.history?.changes == 2)
    #expect(shown.history?.oldest == "2001-01-01T00:00:00Z")
    #expect(shown.history?.newest == "2001-01-02T00:00:00Z")
    #expect(shown.history?.authors == ["app", "sync"])
    #expect(shown.history?.bundles == ["org.example.album"])
    try fixture.change(
      "DROP TABLE ATRANSACTION; CREATE TABLE ATRANSACTION (ZAUTHORTS BLOB); DROP TABLE ATRANSACTIONSTRING")
    #expect(try self.shown([fixture.store]).history?.transactions == 0)
  }

  @Test("external data is shown: inline, in files, missing and unused")
  func externalData() throws {
    let fixture = try AlbumFixture()
    let counts = try SQLiteDatabase(fixture.store, mode: .immutable).rows(
      "SELECT count(*) FILTER (WHERE substr(ZDATA, 1, 1) = x'01'), count(*) FILTER (WHERE substr(ZDATA, 1, 1) = x'02') "
        + "FROM ZPHOTO"
    )[0].compactMap(\.integer)
    let arguments = [fixture.store, "--models", fixture.catalogue]
    let before = try #require(try shown(arguments).externalData)
    #expect(
      [before.inline, before.references, before.missing, before.unused ?? -1] == counts.map(Int.init) + [0, 0])
    #expect(before.references > 0)
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: fixture.external).first)
    try FileManager.default.moveItem(atPath: fixture.external + "/" + file, toPath: fixture.external + "/other")
    let after = try #require(try shown(arguments).externalData)
    #expect(after.missing == 1)
    #expect(after.unused == 1)
  }

  @Test("the properties of the file are shown")
  func file() throws {
    let fixture = try AlbumFixture()
    try fixture.change(
      "PRAGMA page_size=8192; PRAGMA auto_vacuum=0; VACUUM; CREATE TABLE x (y); INSERT INTO x VALUES (zeroblob(90000)); DROP TABLE x"
    )
    let file = try #require(try shown([fixture.store]).file)
    #expect(file.pageSize == 8192)
    #expect(file.pageCount * 8192 == FileManager.default.contents(atPath: fixture.store)?.count)
    #expect(file.freePages > 5)
    #expect(file.autoVacuum == "none")
    #expect(file.encoding == "UTF-8")
  }

  @Test(
    "a framework version has the name of a system, or of the two systems around it",
    arguments: [
      (241, "before iOS 9"), (641, "iOS 9"), (752, "iOS 9 or 10"), (847, "iOS 11"), (865, "iOS 11 or 12"),
      (1338, "iOS 17"), (1344, "iOS 17"), (1345, "later than iOS 17"), (Int.min, "before iOS 9"),
      (Int.max, "later than iOS 17"),
    ])
  func framework(number: Int, name: String) {
    #expect(FrameworkName.system(of: number) == name)
  }

  @Test("names with wide characters align, long texts wrap, and a pipe gets no colours")
  func width() throws {
    let fixture = try AlbumFixture()
    try fixture.changeMetadata { entries in
      entries["日本語のキー"] = .string(String(repeating: "word ", count: 12))
      entries["key"] = .string("a\u{1b}[31mb")
    }
    for isTerminal in [true, false] {
      let run = Captured(
        ["inspect", fixture.store, "--models", fixture.catalogue], isTerminal: isTerminal, width: 60)
      #expect(!run.output.contains("\u{1b}"))
      #expect(run.lines.contains("  key           a\\u{1b}[31mb"), "\(run.output)")
      for line in run.lines where !line.contains(fixture.store) && !line.contains("_SUPPORT") {
        // In a pipe, values of the metadata aren't shortened.
        guard isTerminal || !line.contains("word word") else { continue }
        #expect(DisplayWidth.columns(of: line) <= 60, "\(line)")
      }
    }
  }
}
