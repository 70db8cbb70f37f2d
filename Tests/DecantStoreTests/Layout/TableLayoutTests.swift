import DecantModel
import DecantStore
import DecantTestSupport
import Testing

/// The rules of docs/formats/core-data-sqlite.md 1, 2, 3.
@Suite("Tables and columns")
struct TableLayoutTests {
  // docs/formats/core-data-sqlite.md 1.2
  @Test("entities are numbered root by root by name, each with its subentities; case doesn't count")
  func numbers() throws {
    let layout = try Layouts.layout([
      Layouts.entity("Writer"), Layouts.entity("Author", below: "Writer"),
      Layouts.entity("Book", isAbstract: true),
      Layouts.entity("GraphicNovel", below: "Book"), Layouts.entity("Feedback"), Layouts.entity("Page"),
      Layouts.entity("SyncFeatureEntity"), Layouts.entity("SyncableSettingsMetadata"),
    ])
    #expect(
      layout.entityNumbers == [
        "Book": 1, "GraphicNovel": 2, "Feedback": 3, "Page": 4, "SyncableSettingsMetadata": 5,
        "SyncFeatureEntity": 6,
        "Writer": 7, "Author": 8,
      ])
    #expect(
      SchemaStatements.primaryKeyComments(layout) == [
        "-- 1|Book|0|0", "-- 2|GraphicNovel|1|0", "-- 3|Feedback|0|0", "-- 4|Page|0|0",
        "-- 5|SyncableSettingsMetadata|0|0", "-- 6|SyncFeatureEntity|0|0", "-- 7|Writer|0|0", "-- 8|Author|7|0",
      ])
  }

  // docs/formats/core-data-sqlite.md 1.4
  @Test("all statements of a model in their order")
  func order() throws {
    let statements = try Layouts.statements([
      Layouts.entity("B", [("n", .integer16)], [Layouts.toOne("a", "A", "bs")]),
      Layouts.entity("A", [("s", .string)], [Layouts.toMany("bs", "B", "a")]),
    ])
    #expect(
      statements == [
        "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZS VARCHAR )",
        "CREATE TABLE ZB ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZN INTEGER, ZA INTEGER )",
        "CREATE INDEX ZB_ZA_INDEX ON ZB (ZA)",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
  }

  // docs/formats/core-data-sqlite.md 2.4
  @Test("columns of all types have the order of their groups")
  func types() throws {
    let all: [(String, AttributeType)] = [
      ("a", .binary), ("b", .transformable), ("c", .uuid), ("d", .uri), ("e", .string), ("f", .decimal),
      ("g", .double), ("h", .date), ("i", .float), ("j", .boolean), ("k", .integer16), ("l", .integer32),
      ("m", .integer64),
    ]
    #expect(
      try Layouts.statement("CREATE TABLE ZE", [Layouts.entity("E", all)])
        == "CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZJ INTEGER, ZK INTEGER, ZL INTEGER, "
        + "ZM INTEGER, ZG FLOAT, ZH TIMESTAMP, ZI FLOAT, ZF DECIMAL, ZE VARCHAR, ZD VARCHAR, ZC BLOB, ZB BLOB, ZA BLOB )"
    )
  }

  // docs/formats/core-data-sqlite.md 2.4
  @Test("in a group, columns are ordered by entity, and in an entity attributes come before relationships")
  func family() throws {
    let entities = [
      Layouts.entity(
        "Message", [("isExpired", .boolean), ("nonce", .binary), ("keys", .transformable), ("at", .date)],
        [Layouts.toOne("sender", "User")]),
      Layouts.entity("ImageMessage", below: "Message", [("animated", .boolean), ("data", .binary)]),
      Layouts.entity("User"),
    ]
    #expect(
      try Layouts.statement("CREATE TABLE ZMESSAGE", entities)
        == "CREATE TABLE ZMESSAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISEXPIRED INTEGER, "
        + "ZSENDER INTEGER, ZANIMATED INTEGER, ZAT TIMESTAMP, ZKEYS BLOB, ZNONCE BLOB, ZDATA BLOB )")
    #expect(try Layouts.statement("CREATE INDEX ZMESSAGE_Z_ENT_INDEX", entities) != nil)
  }

  // docs/formats/core-data-sqlite.md 2.2
  @Test("transient properties and to-many relationships have no column, and a name that is taken gets a digit")
  func clash() throws {
    var transient = Layouts.entity("Base", [("x", .string)])
    transient.attributes[0].isTransient = true
    let entities = [
      transient, Layouts.entity("One", below: "Base", [("text", .string)]),
      Layouts.entity("Two", below: "Base", [("text", .string)]),
    ]
    #expect(
      try Layouts.statement("CREATE TABLE ZBASE", entities)
        == "CREATE TABLE ZBASE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR, ZTEXT1 VARCHAR )"
    )
    let layout = try Layouts.layout(entities)
    #expect(layout.attributeColumn("text", of: "Two") == "ZTEXT1")
    #expect(layout.attributeColumn("text", of: "One") == "ZTEXT")
    #expect(layout.attributeColumn("x", of: "One") == nil)
  }

  // docs/formats/core-data-sqlite.md 2.2
  @Test("columns with one name are numbered in the order of the entity numbers, however many there are")
  func manyOfOneName() throws {
    let entities =
      [Layouts.entity("Base")]
      + ["Four", "One", "Three", "Two"].map { Layouts.entity($0, below: "Base", [("text", .string)]) }
    let layout = try Layouts.layout(entities)
    #expect(layout.unsettled.isEmpty)
    #expect(
      ["Four", "One", "Three", "Two"].map { layout.attributeColumn("text", of: $0) } == [
        "ZTEXT", "ZTEXT1", "ZTEXT2", "ZTEXT3",
      ])
  }

  // docs/formats/core-data-sqlite.md 2.2
  @Test("the column with a digit isn't guessed beside names with digits, or names that differ only in case")
  func doubtfulDigits() throws {
    func layout(_ properties: [(String, [String])], evidence: [String]? = nil) throws -> StoreLayout {
      try Layouts.layout(
        [Layouts.entity("Base")]
          + properties.map { Layouts.entity($0.0, below: "Base", $0.1.map { ($0, .string) }) },
        evidence: evidence.map { ["ZBASE": ["Z_PK", "Z_ENT", "Z_OPT"] + $0] })
    }
    let beside = [("One", ["text", "text1"]), ("Two", ["text"])]
    #expect(
      try layout(beside).unsettled.map(\.description) == [
        "Two.text: its column's name beside a property whose name ends in a digit"
      ])
    #expect(try layout(beside, evidence: ["ZTEXT", "ZTEXT1", "ZTEXT2"]).unsettled.isEmpty)
    #expect(try layout(beside, evidence: ["ZTEXT", "ZTEXT1", "ZTEXT11"]).unsettled.count == 1)
    #expect(try layout([("One", ["text"]), ("Three", ["text"]), ("Two", ["text1"])]).unsettled.count == 1)
    let alike = try layout([("One", ["idea", "iDea"])], evidence: ["ZIDEA", "ZIDEA1"]).unsettled
    #expect(
      alike.map(\.description) == [
        "One.idea: whether its column or that of “iDea” has the digit, because the names differ in case alone"
      ])
    #expect(alike.allSatisfy { !$0.canBeSettled })
  }

  // docs/formats/core-data-sqlite.md 2.3
  @Test("a to-one relationship has a second column if its destination has subentities")
  func entityColumns() throws {
    let entities = [
      Layouts.entity("Mark", [], [Layouts.toOne("leaf", "Text"), Layouts.toOne("message", "Message")]),
      Layouts.entity("Message"), Layouts.entity("Text", below: "Message"),
    ]
    #expect(
      try Layouts.statement("CREATE TABLE ZMARK", entities)
        == "CREATE TABLE ZMARK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLEAF INTEGER, ZMESSAGE INTEGER, "
        + "Z2_MESSAGE INTEGER )")
    #expect(try Layouts.statements(entities).contains("CREATE INDEX ZMARK_ZMESSAGE_INDEX ON ZMARK (ZMESSAGE)"))
    #expect(try !Layouts.statements(entities).contains { $0.contains("Z2_MESSAGE_INDEX") })
  }

  // docs/formats/core-data-sqlite.md 2.5
  @Test("order columns come after the integers, by the number of the owner's entity")
  func ordered() throws {
    let entities = [
      Layouts.entity(
        "Child", [("n", .integer64), ("at", .date)],
        [Layouts.toOne("parent", "Parent", "children"), Layouts.toOne("album", "Album", "children")]),
      Layouts.entity("Album", [], [Layouts.toMany("children", "Child", "album", isOrdered: true)]),
      Layouts.entity("Parent", [], [Layouts.toMany("children", "Child", "parent", isOrdered: true)]),
    ]
    #expect(
      try Layouts.statement("CREATE TABLE ZCHILD", entities)
        == "CREATE TABLE ZCHILD ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZN INTEGER, ZALBUM INTEGER, "
        + "ZPARENT INTEGER, Z_FOK_ALBUM INTEGER, Z_FOK_PARENT INTEGER, ZAT TIMESTAMP )")
  }

  // docs/formats/core-data-sqlite.md 4.8
  @Test("a to-many without inverse is a column in the target's table, with an index")
  func owner() throws {
    let entities = [
      Layouts.entity("Cart", [], [Layouts.toMany("items", "Item")]),
      Layouts.entity("Item", [("n", .integer16)], [Layouts.toOne("kind", "Cart")]),
    ]
    let statements = try Layouts.statements(entities)
    #expect(
      statements.contains(
        "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZN INTEGER, ZKIND INTEGER, "
          + "Z1ITEMS INTEGER )"))
    #expect(statements.contains("CREATE INDEX ZITEM_Z1ITEMS_INDEX ON ZITEM (Z1ITEMS)"))
    #expect(try Layouts.layout(entities).ownerColumn("items", of: "Cart") == "Z1ITEMS")
  }
}
