import DecantModel
import DecantStore
import DecantTestSupport
import Testing

/// The rules of docs/formats/core-data-sqlite.md 5.
@Suite("Indexes and triggers")
struct IndexTests {
  /// An entity with an index of every kind, and a parent.
  private func entities() -> [Entity] {
    var note = Layouts.entity(
      "Note", below: "Item", [("key", .string), ("flag", .boolean), ("at", .date)],
      [Layouts.toOne("tag", "Tag")])
    note.attributes[0].isIndexed = true
    note.compoundIndexes = [["flag", "at"]]
    return [Layouts.entity("Item"), note, Layouts.entity("Tag")]
  }

  private func indexes(_ entities: [Entity], framework: Int) throws -> [String] {
    try Layouts.statements(entities, framework: framework).filter { $0.contains("INDEX ") }
  }

  // docs/formats/core-data-sqlite.md 5.1, 5.2
  @Test("indexes of framework 836 and later", arguments: [836, 847, 866, 1344])
  func named(framework: Int) throws {
    #expect(
      try indexes(entities(), framework: framework) == [
        "CREATE INDEX ZITEM_ZTAG_INDEX ON ZITEM (ZTAG)", "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)",
        "CREATE INDEX Z_Note_key ON ZITEM (ZKEY COLLATE BINARY ASC)",
        "CREATE INDEX Z_Note_flag_at ON ZITEM (ZFLAG COLLATE BINARY ASC, ZAT COLLATE BINARY ASC)",
      ])
  }

  // docs/formats/core-data-sqlite.md 5.5
  @Test("indexes of framework 637 to 835", arguments: [637, 641, 754, 835])
  func plain(framework: Int) throws {
    #expect(
      try indexes(entities(), framework: framework) == [
        "CREATE INDEX ZITEM_ZKEY_INDEX ON ZITEM (ZKEY)", "CREATE INDEX ZITEM_ZTAG_INDEX ON ZITEM (ZTAG)",
        "CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT)", "CREATE INDEX ZITEM_ZFLAG_ZAT ON ZITEM (ZFLAG, ZAT)",
      ])
  }

  // docs/formats/core-data-sqlite.md 1.4
  @Test("framework 419 makes the indexes after each table and has no model cache")
  func oldest() throws {
    let statements = try Layouts.statements(entities(), framework: 419)
    let index = try #require(statements.firstIndex(of: "CREATE INDEX ZITEM_ZKEY_INDEX ON ZITEM (ZKEY)"))
    let tag = try #require(statements.firstIndex { $0.hasPrefix("CREATE TABLE ZTAG ") })
    #expect(index < tag)
    #expect(!statements.contains { $0.contains("Z_MODELCACHE") })
  }

  // docs/formats/core-data-sqlite.md 5.3
  @Test("a fetch index with one ascending element marks its attribute as indexed, others don't")
  func fetchIndexes() throws {
    var entity = Layouts.entity("E", [("a", .string), ("b", .string), ("c", .string)])
    entity.fetchIndexes = [
      FetchIndex(name: "byA", elements: [.init(property: "a")]),
      FetchIndex(name: "byB", elements: [.init(property: "b", isAscending: false)]),
      FetchIndex(name: "byCA", elements: [.init(property: "c"), .init(property: "a", isAscending: false)]),
    ]
    #expect(
      try indexes([entity], framework: 1344) == [
        "CREATE INDEX Z_E_a ON ZE (ZA COLLATE BINARY ASC)",
        "CREATE INDEX Z_E_byA ON ZE (ZA COLLATE BINARY ASC)",
        "CREATE INDEX Z_E_byB ON ZE (ZB COLLATE BINARY DESC)",
        "CREATE INDEX Z_E_byCA ON ZE (ZC COLLATE BINARY ASC, ZA COLLATE BINARY DESC)",
      ])
  }

  // docs/formats/core-data-sqlite.md 5.3
  @Test("the indexes are exactly those that a store's own model lists, in its order")
  func listedIndexes() throws {
    var entity = Layouts.entity("E", [("a", .string), ("b", .string), ("c", .string)])
    entity.attributes[2].isIndexed = true
    entity.compoundIndexes = [["a", "b"]]
    entity.fetchIndexes = [FetchIndex(name: "byA", elements: [.init(property: "a")])]
    entity.uniquenessConstraints = [["a"]]
    entity.listedIndexes = [
      FetchIndex(name: "byB", elements: [.init(property: "b", isAscending: false)]),
      FetchIndex(name: "byA", elements: [.init(property: "a")]),
    ]
    let unique = "CREATE UNIQUE INDEX Z_E_UNIQUE_a ON ZE (ZA COLLATE BINARY ASC)"
    #expect(
      try indexes([entity], framework: 1344) == [
        "CREATE INDEX Z_E_byB ON ZE (ZB COLLATE BINARY DESC)",
        "CREATE INDEX Z_E_byA ON ZE (ZA COLLATE BINARY ASC)",
        unique,
      ])
    entity.listedIndexes = []
    #expect(try indexes([entity], framework: 1344) == [unique])
    // Older frameworks use `isIndexed`, `compoundIndexes` and the attributes of fetch indexes instead.
    #expect(
      try indexes([entity], framework: 754) == [
        "CREATE INDEX ZE_ZC_INDEX ON ZE (ZC)", "CREATE INDEX ZE_ZA_INDEX ON ZE (ZA)",
        "CREATE INDEX ZE_ZA_ZB ON ZE (ZA, ZB)",
      ])
  }

  // docs/formats/core-data-sqlite.md 5.4
  @Test("uniqueness is an index from framework 847 on, and a constraint of the table before")
  func uniqueness() throws {
    var entity = Layouts.entity("E", [("a", .string), ("b", .string)])
    entity.uniquenessConstraints = [["b", "a"]]
    #expect(
      try indexes([entity], framework: 847) == [
        "CREATE UNIQUE INDEX Z_E_UNIQUE_b_a ON ZE (ZB COLLATE BINARY ASC, ZA COLLATE BINARY ASC)"
      ])
    #expect(try indexes([entity], framework: 637).isEmpty)
    #expect(
      try Layouts.statement("CREATE TABLE ZE", [entity], framework: 637)
        == "CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA VARCHAR, ZB VARCHAR, "
        + "CONSTRAINT ZB_ZA UNIQUE (ZB, ZA))")
  }

  // docs/formats/core-data-sqlite.md 5.6
  @Test("now() has two triggers, and a count has five, which update the values")
  func triggers() throws {
    var book = Layouts.entity(
      "Book", [("updated", .date), ("n", .integer32)], [Layouts.toMany("pages", "Page", "book")])
    book.attributes[0].derivationExpression = "now()"
    book.attributes[1].derivationExpression = "pages.@count"
    let page = Layouts.entity("Page", [], [Layouts.toOne("book", "Book", "pages")])
    let layout = try Layouts.layout([book, page])
    let triggers = try SchemaStatements(layout).triggers
    #expect(
      triggers.map(DestinationStore.name(of:)) == [
        "Z_DA_ZPAGE_Book_n_PARAMETER_INSERT", "Z_DA_ZPAGE_Book_n_PARAMETER_UPDATE_INCREMENT",
        "Z_DA_ZPAGE_Book_n_PARAMETER_UPDATE_DECREMENT", "Z_DA_ZPAGE_Book_n_PARAMETER_DELETE",
        "Z_DA_ZBOOK_Book_n_SOURCE_INSERT", "Z_DA_ZBOOK_Book_updated_INSERT", "Z_DA_ZBOOK_Book_updated_UPDATE",
      ])
    #expect(
      triggers[0]
        == "CREATE TRIGGER Z_DA_ZPAGE_Book_n_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) "
        + "BEGIN UPDATE ZBOOK SET ZN = IFNULL(ZN, 0) + 1 WHERE Z_PK = NEW.ZBOOK; SELECT "
        + "NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'n', ZN) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END"
    )
  }

  // docs/formats/core-data-sqlite.md 5.7
  @Test(
    "properties whose storage isn't known are refused and named",
    arguments: ["R-tree", "derivation", "composite", "undefined"])
  func unsettled(what: String) throws {
    var entity = Layouts.entity("E", [("a", .string)])
    let question: String
    switch what {
    case "R-tree":
      entity.fetchIndexes = [FetchIndex(name: "i", elements: [.init(property: "a", kind: .rTree)])]
      question = "E.i: how an R-tree fetch index is written"
    case "derivation":
      entity.attributes[0].derivationExpression = "canonical:(b)"
      question = "E.a: the triggers of the derivation “canonical:(b)”"
    case "composite":
      entity.attributes[0].type = .composite
      entity.attributes[0].elements = [
        Attribute(name: "b", type: .string),
        Attribute(name: "c", type: .composite, elements: [Attribute(name: "d", type: .string)]),
      ]
      question = "E.a: which columns a composite attribute within a composite attribute has"
    default:
      entity.attributes[0].type = .undefined
      question = "E.a: which column a stored Undefined attribute has"
    }
    let error = #expect(throws: LayoutError.self) { try Layouts.statements([entity]) }
    #expect(
      error?.description
        == "how Core Data stores this is not known for certain: \(question). Not even a genuine store settles that, so a "
        + "store of such a version can't be read or written")
  }
}
