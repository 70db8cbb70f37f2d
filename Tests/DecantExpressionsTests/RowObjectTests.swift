import DecantModel
import Foundation
import PredicateFormat
import Testing

@testable import DecantExpressions

/// A source row is read as an object with keys.
@Suite struct RowObjectTests {
  private let store: ExpressionStore

  init() throws {
    store = try ExpressionStore(seed: 1, rowsPerEntity: 0)
    try store.database.execute(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, ZFLAG, ZSMALL, ZLARGE, ZREAL, ZPRICE, ZTEXT, ZMOMENT, ZBYTES, ZOUTSIDE, ZIDENTIFIER,
        ZLINK, ZTHING, ZAUTHOR, ZNEXT, ZELSEWHERE, ZFOLDER, Z_FOK_FOLDER)
      VALUES (1, 5, 1, -3, 9223372036854775807, 0.1, 10.11, 'Ñandú', 60, x'0102', x'0103', x'8c2b7a040d5c4a8e9b367e0d3e6b5a11',
        'https://example.org', x'09', 1, 2, 2, 1, 2048);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, ZDONE, ZPOINTS1, ZFOLDER, Z_FOK_FOLDER) VALUES (2, 7, 1, 12, 1, 1024);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, ZAUTHOR, ZELSEWHERE) VALUES (3, 5, 99, 1);
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'Ana');
      INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME, Z1LIKES) VALUES (1, 8, 'x', 1), (2, 8, 'y', NULL), (3, 8, 'z', 1);
      INSERT INTO ZFOLDER (Z_PK, Z_ENT) VALUES (1, 3);
      INSERT INTO ZCOMMENT (Z_PK, Z_ENT, ZNOTE) VALUES (4, 2, 1), (2, 2, 1), (3, 2, 2);
      """)
    let join = try #require(store.layout.joinTable("tags", of: "Folder"))
    #expect(join.table.second.orderColumn != nil)
    let (own, other) =
      join.isNaming ? (join.table.second, join.table.first) : (join.table.first, join.table.second)
    try store.database.execute(
      "INSERT INTO \(join.table.name) (\(other.column), \(own.column), \(own.orderColumn ?? "")) "
        + "VALUES (1, 1, 3072), (1, 2, 1024), (1, 3, 2048), (1, 77, 1)")
  }

  private func note(_ key: Int64 = 1, entity: String = "Note") -> RowObject {
    store.rows.object(entity: entity, key: key)
  }

  private func labels(_ value: Value?) -> [String]? {
    value?.members?.compactMap { if case .object(let object) = $0 { object.description } else { nil } }
  }

  @Test func attributesAreValuesOfTheirTypes() throws {
    let note = note()
    #expect(try note.value(forKey: "flag") == .boolean(true))
    #expect(try note.value(forKey: "small") == .integer(-3))
    #expect(try note.value(forKey: "large") == .integer(.max))
    #expect(try note.value(forKey: "real") == .double(0.1))
    #expect(try note.value(forKey: "price") == .decimal(DecimalColumn.decimal("10.11")))
    #expect(try note.value(forKey: "text") == .string("Ñandú"))
    #expect(try note.value(forKey: "moment") == .date(60))
    #expect(try note.value(forKey: "bytes") == .data(Data([1, 2])))
    #expect(try note.value(forKey: "outside") == .data(Data([3])))
    #expect(
      try note.value(forKey: "identifier")
        == .uuid(UUID(uuidString: "8C2B7A04-0D5C-4A8E-9B36-7E0D3E6B5A11") ?? UUID()))
    #expect(try note.value(forKey: "link") == .url("https://example.org"))
    #expect(try note.value(forKey: "thing") == .data(Data([9])))
    #expect(try note.value(forKey: "other") == .null)
    #expect(try note.value(forKey: "passing") == .null)
    #expect(try note.value(forKey: "nothing") == nil)
    #expect(try note.value(forKey: "done") == nil)
    #expect(try self.note(2, entity: "Task").value(forKey: "points") == .integer(12))
  }

  @Test func relationshipsAreObjectsSetsAndLists() throws {
    let note = note()
    #expect(
      try note.value(forKey: "author") == .object(ObjectReference(store.rows.object(entity: "Author", key: 1))))
    // The object has its own entity Task, although the relationship's destination is Note.
    guard case .object(let next)? = try note.value(forKey: "next") else {
      Issue.record("no object")
      return
    }
    #expect(next.description == "Task/p2")
    #expect(try note.value(forKey: "previous") == .null)
    #expect(try labels(note.value(forKey: "comments")) == ["Comment/p2", "Comment/p4"])
    guard case .set? = try note.value(forKey: "comments"), case .array? = try note.value(forKey: "lines") else {
      Issue.record("a set and a list")
      return
    }
    let author = store.rows.object(entity: "Author", key: 1)
    #expect(try labels(author.value(forKey: "likes")) == ["Tag/p1", "Tag/p3"])
    #expect(try labels(author.value(forKey: "notes")) == ["Note/p1"])
    let folder = store.rows.object(entity: "Folder", key: 1)
    #expect(try labels(folder.value(forKey: "notes")) == ["Task/p2", "Note/p1"])
    #expect(try labels(folder.value(forKey: "tags")) == ["Tag/p2", "Tag/p3", "Tag/p1"])
  }

  @Test func referencesToRowsThatAreNotThereAreNil() throws {
    #expect(try note(3).value(forKey: "author") == .null)
    // A row of the same table isn't found if its entity isn't the relationship's destination.
    #expect(try note(3).value(forKey: "elsewhere") == .null)
    let sql = SourceSQL(layout: store.layout, entity: "Note", schema: "main")
    let condition = try sql.condition(FormatPredicate(parsing: "author == nil AND elsewhere == nil"))
    #expect(try store.database.integer("SELECT \(condition) FROM ZNOTE AS s WHERE s.Z_PK = 3") == 1)
    #expect(throws: RowSource.Failure.self) { try note(55).value(forKey: "text") }
  }

  @Test func theSameRowIsTheSameObject() throws {
    #expect(note().identity == note(1, entity: "Task").identity)
    #expect(note().identity != note(2).identity)
    #expect(note().label == "Note/p1")
  }

  @Test func rowsAreReadFromSeveralThreadsAtOnce() async throws {
    let rows = store.rows
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<50).reduce(0) { sum, _ in
            let author = try? rows.object(entity: "Note", key: 1).value(forKey: "author")
            return sum + (author == .null ? 0 : 1)
          }
        }
      }
      for await count in group { #expect(count == 50) }
    }
  }
}
