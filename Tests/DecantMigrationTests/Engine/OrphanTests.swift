import Testing

@testable import DecantMigration

@Suite("Inferred steps: dangling references, and losses") struct OrphanTests {
  @Test func referencesToObjectsOfARemovedEntityAreNilCountedAndTold() throws {
    let plain = "Base\n x String?\nGone < Base\nLeaf < Base\nZoo\n any -> Base"
    let shop = try Workshop(plain, plain.replacing("Gone < Base\n", with: ""))
    try shop.makeStore(
      """
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'a'), (2, 2, 1, 'b'), (3, 3, 1, 'c');
      INSERT INTO ZZOO (Z_PK, Z_ENT, Z_OPT, ZANY, Z1_ANY) VALUES (1, 4, 1, 1, 1), (2, 4, 1, 2, 2), (3, 4, 1, 3, 3),
        (4, 4, 1, 2, 2);
      """)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Base#1 x='a'", "Leaf#3 x='c'", "Zoo#1 any=Base#1", "Zoo#2", "Zoo#3 any=Leaf#3", "Zoo#4",
      ])
    #expect(Set(result.losses) == ["entity Gone 1", "relationship Zoo.any 2"])
    #expect(
      result.report.warnings.contains(
        "2 objects had a relationship “Zoo.any” to a missing object; the relationship is nil now."))
  }

  @Test(arguments: [nil, 1, 2])
  func danglingReferencesOfTheSourceAreNilAndTold(chunkSize: Int?) throws {
    let before = """
      Item
        list -> List.items
        tags ->> Tag.items
      List
        items ->> Item.list ordered
        own ->> Tag
      Tag
        items ->> Item.tags
      """
    let shop = try Workshop(before, "\(before)\n name String?")
    try shop.makeStore(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLIST, Z_FOK_LIST) VALUES (1, 1, 1, 1, 2048), (2, 1, 1, 99, 2048);
      INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, Z2OWN) VALUES (1, 3, 1, 1), (2, 3, 1, 77);
      INSERT INTO Z_1TAGS (Z_1ITEMS, Z_3TAGS) VALUES (1, 1), (1, 66), (55, 1), (44, 33);
      """)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(
      result.lines == [
        "Item#1 list=List#1 tags=[Tag#1]", "Item#2", "List#1 items=(Item#1) own=[Tag#1]",
        "Tag#1 items=[Item#1]",
        "Tag#2",
      ])
    let told = result.report.warnings.filter { $0.contains("missing object") }
    #expect(
      Set(told) == [
        "1 object had a relationship “Item.list” to a missing object; the relationship is nil now.",
        "1 object had a relationship “List.own” to a missing object; the relationship is nil now.",
        "3 pairs of “Item.tags” led to a missing object; they are left out.",
      ])
  }

  @Test func aReferenceToAnObjectOfAForeignEntityOfTheFamilyIsNil() throws {
    let before = "Base\nLeaf < Base\nOther < Base\nZoo\n leaf -> Leaf"
    let shop = try Workshop(before, "\(before)\n name String?")
    try shop.makeStore(
      """
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 3, 1);
      INSERT INTO ZZOO (Z_PK, Z_ENT, Z_OPT, ZLEAF) VALUES (1, 4, 1, 1), (2, 4, 1, 2);
      """)
    #expect(try shop.migrate().lines == ["Leaf#1", "Other#2", "Zoo#1 leaf=Leaf#1", "Zoo#2"])
  }

  @Test func aRelationshipWhoseDestinationBecameAnotherEntityLosesItsValues() throws {
    let shop = try Workshop(
      "A\n list ->> B.a\n one -> B\nB\n a -> A.list\nC", "A\n list ->> C.a\n one -> C\nB\nC\n a -> A.list")
    try shop.makeStore(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZONE) VALUES (1, 1, 1, 1), (2, 1, 1, NULL);
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 2, 1, 1), (2, 2, 1, 1);
      INSERT INTO ZC (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);
      """)
    let result = try shop.migrate()
    #expect(result.lines == ["A#1", "A#2", "B#1", "B#2", "C#1"])
    #expect(Set(result.losses) == ["relationship A.list 2", "relationship A.one 1", "relationship B.a 2"])
  }

  // MARK: Losses

  private static let rename = [
    "Note\n fecha Date?\n text String?\n other Int16?", "Note\n fechaNueva Date?\n text String?\n other Int16?",
  ]
  private static let dates =
    "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFECHA) VALUES (1, 1, 1, 5.5), (2, 1, 1, NULL), (3, 1, 1, 7.5)"

  @Test func aProbableRenameIsMarked() throws {
    let shop = try Workshop(Self.rename)
    try shop.makeStore(Self.dates)
    let plan = try Migration.plan(shop.job())
    #expect(plan.losses.map(Migrated.words) == ["attribute Note.fecha 2 → fechaNueva?"])
    #expect(plan.rows == 3)
    let result = try shop.migrate()
    #expect(result.losses == ["attribute Note.fecha 2 → fechaNueva?"])
    #expect(result.lines == ["Note#1", "Note#2", "Note#3"])
  }

  @Test func dataLossIsRefusedWhereTheFamilySaysSoAndRenamesMendIt() throws {
    let shop = try Workshop(Self.rename, family: "{ dataLoss: \"refuse\" }")
    try shop.makeStore(Self.dates)
    let failure = try shop.failure()
    #expect(failure.reason == .dataLoss)
    #expect(failure.disposition == .refuse)
    #expect(failure.message.contains("attribute “Note.fecha” with 2 values"))
    #expect(
      failure.advice
        == "If “fecha” is called “fechaNueva” now, say so under “renames” in family.json5. If the loss is "
        + "intended, put the line “acceptedLosses” of this message into family.json5.")
    #expect(failure.details == ["acceptedLosses: [\"Note.fecha\"]"])
    let mended = try Workshop(
      Self.rename,
      family: "{ dataLoss: \"refuse\", renames: { properties: { \"Note.fecha\": \"fechaNueva\" } } }")
    try mended.makeStore(Self.dates)
    let result = try mended.migrate()
    #expect(result.lines == ["Note#1 fechaNueva=5.5", "Note#2", "Note#3 fechaNueva=7.5"])
    #expect(result.losses == [])
  }

  @Test func whatHoldsNoValueIsNoLossAndIsNotRefused() throws {
    let shop = try Workshop(
      "Note\n x String?\n gone String?\nGone\n y String?", "Note\n x String?",
      family: "{ dataLoss: \"refuse\" }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 2, 1, 'a')")
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 x='a'"])
    #expect(Set(result.losses) == ["entity Gone 0", "attribute Note.gone 0"])
  }

  @Test func objectsOfSubentitiesAreCountedWithTheirOwnLosses() throws {
    let shop = try Workshop("Base\n x String?\nLeaf < Base\n y String?", "Base\nLeaf < Base\n y String?")
    try shop.makeStore(
      "INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZX, ZY) VALUES (1, 1, 1, 'a', NULL), (2, 2, 1, 'b', 'c'), (3, 2, 1, 'd', 'e')"
    )
    let result = try shop.migrate()
    #expect(result.losses == ["attribute Base.x 3"])
    #expect(result.lines == ["Base#1", "Leaf#2 y='c'", "Leaf#3 y='e'"])
  }

  @Test func rowsOfAnAbstractEntityMakeTheStoreASickOne() throws {
    let shop = try Workshop("Base*\nLeaf < Base", "Base*\nLeaf < Base\n x String?")
    try shop.makeStore("INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    #expect(try shop.failure().reason == .inconsistentStore)
  }
}
