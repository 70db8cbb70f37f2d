import DecantStore
import Testing

@testable import DecantMigration

@Suite("Inferred steps: hierarchies") struct HierarchyTests {
  @Test func aNewParentOverOneEntityTakesItsRowsIntoItsTable() throws {
    let shop = try Workshop(
      "Note\n text String?\n tag -> Tag.notes\nTag\n notes ->> Note.tag",
      "Item*\n text String?\nNote < Item\n tag -> Tag.notes\nTag\n notes ->> Note.tag")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTAG) VALUES (3, 1, 2, 'a', 1), (4, 1, 1, 'b', NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
      """)
    let result = try shop.migrate()
    #expect(result.lines == ["Note#3 text='a' tag=Tag#1", "Note#4 text='b'", "Tag#1 notes=[Note#3]"])
    #expect(
      try result.store.store.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZTEXT FROM ZITEM ORDER BY 1") == [
        [.integer(3), .integer(2), .integer(2), .text("a")],
        [.integer(4), .integer(2), .integer(1), .text("b")],
      ])
  }

  @Test func aNewParentOverAHierarchyTakesTheWholeOfIt() throws {
    let shop = try Workshop(
      "Base\n x String?\nLeaf < Base\n y String?\nZoo\n base -> Base",
      "Alpha\nTop\nBase < Top\n x String?\nLeaf < Base\n y String?\nZoo\n base -> Top")
    try shop.makeStore(
      """
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZX, ZY) VALUES (1, 1, 1, 'a', NULL), (2, 2, 1, 'b', 'c');
      INSERT INTO ZZOO (Z_PK, Z_ENT, Z_OPT, ZBASE, Z1_BASE) VALUES (1, 3, 1, 2, 2), (2, 3, 1, 1, 1);
      """)
    let result = try shop.migrate()
    #expect(result.lines == ["Base#1 x='a'", "Leaf#2 x='b' y='c'", "Zoo#1 base=Leaf#2", "Zoo#2 base=Base#1"])
    #expect(
      try result.store.store.rows("SELECT ZBASE, Z2_BASE FROM ZZOO ORDER BY Z_PK") == [
        [.integer(2), .integer(4)], [.integer(1), .integer(3)],
      ])
    #expect(result.losses == [])
  }

  @Test func anEntityThatLeavesItsHierarchyKeepsItsKeysInATableOfItsOwn() throws {
    let shop = try Workshop(
      "Base\n x String?\nLeaf < Base\n y String?\n zoo -> Zoo.leaf\nZoo\n leaf -> Leaf.zoo\n any -> Base",
      "Base\n x String?\nLeaf\n x String?\n y String?\n zoo -> Zoo.leaf\nZoo\n leaf -> Leaf.zoo\n any -> Base")
    try shop.makeStore(
      marks: ["Base": 40],
      """
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZX, ZY, ZZOO) VALUES (1, 1, 1, 'a', NULL, NULL), (2, 2, 1, 'b', 'c', 7),
        (3, 2, 1, 'd', NULL, NULL);
      INSERT INTO ZZOO (Z_PK, Z_ENT, Z_OPT, ZLEAF, ZANY, Z1_ANY) VALUES (7, 3, 1, 2, 1, 1), (8, 3, 1, NULL, 3, 2);
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Base#1 x='a'", "Leaf#2 x='b' y='c' zoo=Zoo#7", "Leaf#3 x='d'", "Zoo#7 any=Base#1 leaf=Leaf#2", "Zoo#8",
      ])
    #expect(result.losses == ["relationship Zoo.any 1"])
    #expect(
      try result.store.store.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 8 ORDER BY Z_ENT") == [
        [.text("Base"), .integer(40)], [.text("Leaf"), .integer(40)],
      ])
  }

  private static let siblings = """
    Message*
    Image < Message
      text String?
      size Int32?
    Text < Message
      text String?
      size Int32?
    """
  private static let siblingRows = """
    INSERT INTO ZMESSAGE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTEXT1, ZSIZE, ZSIZE1) VALUES (1, 2, 1, 'image', NULL, 1, NULL),
      (2, 3, 1, NULL, 'text', NULL, 2), (3, 3, 1, NULL, NULL, NULL, 3);
    """

  @Test func propertiesOfSiblingsMoveUpEachRowWithItsOwnValue() throws {
    let shop = try Workshop(
      Self.siblings, "Message*\n text String?\nImage < Message\n size Int32?\nText < Message\n size Int32?")
    try shop.makeStore(Self.siblingRows)
    let result = try shop.migrate()
    #expect(result.lines == ["Image#1 size=1 text='image'", "Text#2 size=2 text='text'", "Text#3 size=3"])
    #expect(result.losses == [])
    #expect(try result.store.store.rows("SELECT ZTEXT FROM ZMESSAGE WHERE Z_PK = 2") == [[.text("text")]])
  }

  @Test func siblingsSwapTheirColumnsWhenTheirNumbersDo() throws {
    let shop = try Workshop(
      Self.siblings,
      """
      Message*
      Picture < Message was Image
        text String?
        size Int32?
      Letter < Message was Text
        text String?
        size Int32?
      """)
    try shop.makeStore(Self.siblingRows)
    let result = try shop.migrate()
    #expect(
      result.lines == ["Letter#2 size=2 text='text'", "Letter#3 size=3", "Picture#1 size=1 text='image'"])
    #expect(
      try result.store.store.rows("SELECT Z_PK, ZTEXT, ZTEXT1, ZSIZE, ZSIZE1 FROM ZMESSAGE ORDER BY 1") == [
        [.integer(1), .null, .text("image"), .null, .integer(1)],
        [.integer(2), .text("text"), .null, .integer(2), .null],
        [.integer(3), .null, .null, .integer(3), .null],
      ])
  }

  @Test func aPropertyMovesDownToSomeOfItsFormerHeirs() throws {
    let shop = try Workshop(
      "Message\n text String?\nImage < Message\nText < Message\nVideo < Message",
      "Message\nImage < Message\n text String?\nText < Message\n text String?\nVideo < Message")
    try shop.makeStore(
      """
      INSERT INTO ZMESSAGE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'm'), (2, 2, 1, 'i'), (3, 3, 1, 't'),
        (4, 4, 1, 'v'), (5, 4, 1, NULL);
      """)
    let result = try shop.migrate()
    #expect(result.lines == ["Image#2 text='i'", "Message#1", "Text#3 text='t'", "Video#4", "Video#5"])
    #expect(result.losses == ["attribute Message.text 2"])
  }

  @Test func aToOneOfSiblingsMovesUpWithEntityColumnAndOrder() throws {
    let rows = """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1), (2, 5, 1);
      INSERT INTO ZMESSAGE (Z_PK, Z_ENT, Z_OPT, ZTAG, Z4_TAG, ZTAG1) VALUES (1, 2, 1, 2, 5, NULL), (2, 3, 1, NULL, NULL, 1);
      """
    let shop = try Workshop(
      "Message*\nImage < Message\n tag -> Tag\nText < Message\n tag -> Label\nTag*\nLabel < Tag",
      "Message*\n tag -> Tag\nImage < Message\nText < Message\nTag\nLabel < Tag")
    try shop.makeStore(rows.replacing("(1, 4, 1), ", with: "(1, 5, 1), "))
    let result = try shop.migrate()
    #expect(result.lines == ["Image#1 tag=Label#2", "Label#1", "Label#2", "Text#2 tag=Label#1"])
    #expect(
      try result.store.store.rows("SELECT ZTAG, Z4_TAG FROM ZMESSAGE ORDER BY Z_PK") == [
        [.integer(2), .integer(5)], [.integer(1), .integer(5)],
      ])
  }

  @Test func entitiesOfSeveralHierarchiesUnderOneParentAreRefused() throws {
    let shop = try Workshop("A\nB", "P\nA < P\nB < P")
    try shop.makeStore("")
    #expect(try shop.failure().message.contains("several root entities can't be merged into one table"))
  }

  @Test func anEntityThatBecomesAbstractLosesItsObjectsAndItsHeirsStay() throws {
    let shop = try Workshop(
      "Base\n x String?\nLeaf < Base\nZoo\n base -> Base", "Base*\n x String?\nLeaf < Base\nZoo\n base -> Base")
    try shop.makeStore(
      """
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'a'), (2, 2, 1, 'b');
      INSERT INTO ZZOO (Z_PK, Z_ENT, Z_OPT, ZBASE, Z1_BASE) VALUES (1, 3, 1, 1, 1), (2, 3, 1, 2, 2);
      """)
    let result = try shop.migrate()
    #expect(result.lines == ["Leaf#2 x='b'", "Zoo#1", "Zoo#2 base=Leaf#2"])
    #expect(result.losses == ["entity Base 1", "relationship Zoo.base 1"])
  }

  @Test func anEntityThatWasAbstractAndIsNotMovesNoRows() throws {
    let shop = try Workshop("Base*\n x String\nLeaf < Base", "Base\n x String\nLeaf < Base\n y String?")
    try shop.makeStore("INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (2, 2, 1, 'b')")
    let result = try shop.migrate()
    #expect(result.lines == ["Leaf#2 x='b'"])
    #expect(result.rows == ["LeafToLeaf 1"])
  }
}
