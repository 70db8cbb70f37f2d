import DecantStore
import Testing

@testable import DecantMigration

@Suite("Inferred steps: order") struct OrderTests {
  private static let unordered = "Item\n list -> List.items\nList\n items ->> Item.list"
  private static let ordered = "Item\n list -> List.items\nList\n items ->> Item.list ordered"

  @Test(arguments: [nil, 1, 2])
  func anUnorderedRelationshipIsNumberedByKeyWhenItBecomesOrdered(chunkSize: Int?) throws {
    let shop = try Workshop(Self.unordered, Self.ordered)
    try shop.makeStore(
      """
      INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLIST) VALUES (5, 1, 1, 1), (3, 1, 1, 2), (4, 1, 1, 1), (9, 1, 1, 1),
        (7, 1, 1, NULL);
      """)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(result.lines.suffix(2) == ["List#1 items=(Item#4 Item#5 Item#9)", "List#2 items=(Item#3)"])
    #expect(
      try result.store.store.rows("SELECT Z_PK, Z_FOK_LIST FROM ZITEM ORDER BY Z_PK") == [
        [.integer(3), .integer(2_048)], [.integer(4), .integer(2_048)], [.integer(5), .integer(3_072)],
        [.integer(7), .null], [.integer(9), .integer(4_096)],
      ])
  }

  private static let places = """
    INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLIST, Z_FOK_LIST) VALUES (5, 1, 1, 1, 7), (6, 1, 1, 1, 4096),
      (7, 1, 1, 1, 13), (8, 1, 1, NULL, NULL);
    """

  @Test func orderingKeysAreKeptAsTheyAre() throws {
    let shop = try Workshop(Self.ordered, "Apple\n\(Self.ordered)\n name String?")
    try shop.makeStore(Self.places)
    let result = try shop.migrate()
    #expect(result.lines.last == "List#1 items=(Item#5 Item#7 Item#6)")
    #expect(
      try result.store.store.rows("SELECT Z_FOK_LIST FROM ZITEM ORDER BY Z_PK") == [
        [.integer(7)], [.integer(4_096)], [.integer(13)], [.null],
      ])
  }

  @Test func targetsWithoutAPlaceComeAfterTheLastThatHasOne() throws {
    let shop = try Workshop(Self.ordered, "Apple\n\(Self.ordered)\n name String?")
    try shop.makeStore(
      """
      INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLIST, Z_FOK_LIST) VALUES (1, 1, 1, 1, 3072), (2, 1, 1, 1, NULL),
        (3, 1, 1, 1, 2048), (4, 1, 1, 1, NULL), (5, 1, 1, 2, NULL);
      """)
    _ = try Migration.run(shop.job())
    #expect(
      try shop.read(shop.output, "V2").store.rows("SELECT Z_FOK_LIST FROM ZITEM ORDER BY Z_PK") == [
        [.integer(3_072)], [.integer(4_096)], [.integer(2_048)], [.integer(5_120)], [.integer(2_048)],
      ])
  }

  @Test func anOrderedRelationshipLosesItsOrderWhenItBecomesUnordered() throws {
    let shop = try Workshop(Self.ordered, Self.unordered)
    try shop.makeStore(Self.places)
    let result = try shop.migrate()
    #expect(result.lines.last == "List#1 items=[Item#5 Item#6 Item#7]")
    #expect(result.store.store.schema.tables["ZITEM"] == ["Z_PK", "Z_ENT", "Z_OPT", "ZLIST"])
  }

  @Test func orderIsKeptWhenAnOrderedOneToManyBecomesManyToMany() throws {
    let shop = try Workshop(
      Self.ordered, "Item\n lists ->> List.items was list\nList\n items ->> Item.lists ordered")
    try shop.makeStore(Self.places)
    #expect(try shop.migrate().lines.last == "List#1 items=(Item#5 Item#7 Item#6)")
  }

  private static let both = "Item\n lists ->> List.items ordered\nList\n items ->> Item.lists ordered"
  private static let bothPlaces = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
    INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (11, 2, 1), (12, 2, 1);
    INSERT INTO Z_1LISTS (Z_1ITEMS, Z_2LISTS, Z_FOK_1ITEMS, Z_FOK_2LISTS) VALUES (1, 11, 20, 9), (1, 12, 30, 8),
      (2, 11, 10, 1), (2, 12, 40, 2);
    """

  @Test func bothOrdersOfAManyToManyAreKeptWhenTheOtherEndComesToNameTheTable() throws {
    let shop = try Workshop(
      Self.both, "Thing was Item\n lists ->> List.items ordered\nList\n items ->> Thing.lists ordered")
    try shop.makeStore(Self.bothPlaces)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "List#11 items=(Thing#2 Thing#1)", "List#12 items=(Thing#1 Thing#2)", "Thing#1 lists=(List#12 List#11)",
        "Thing#2 lists=(List#11 List#12)",
      ])
    #expect(
      try result.store.store.rows(
        "SELECT Z_1LISTS, Z_2ITEMS, Z_FOK_1LISTS, Z_FOK_2ITEMS FROM Z_1ITEMS ORDER BY 1, 2") == [
          [.integer(11), .integer(1), .integer(9), .integer(20)],
          [.integer(11), .integer(2), .integer(1), .integer(10)],
          [.integer(12), .integer(1), .integer(8), .integer(30)],
          [.integer(12), .integer(2), .integer(2), .integer(40)],
        ])
  }

  @Test func oneOrderOfAManyToManyGoesAndTheOtherStays() throws {
    let shop = try Workshop(Self.both, "Item\n lists ->> List.items\nList\n items ->> Item.lists ordered")
    try shop.makeStore(Self.bothPlaces)
    #expect(
      try shop.migrate().lines == [
        "Item#1 lists=[List#11 List#12]", "Item#2 lists=[List#11 List#12]", "List#11 items=(Item#2 Item#1)",
        "List#12 items=(Item#1 Item#2)",
      ])
  }

  @Test(arguments: [nil, 1, 3])
  func aManyToManyIsNumberedAtBothEndsWhenItBecomesOrdered(chunkSize: Int?) throws {
    let shop = try Workshop("Item\n lists ->> List.items\nList\n items ->> Item.lists", Self.both)
    try shop.makeStore(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
      INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (11, 2, 1), (12, 2, 1);
      INSERT INTO Z_1LISTS (Z_1ITEMS, Z_2LISTS) VALUES (2, 12), (2, 11), (1, 12);
      """)
    let result = try shop.migrate(chunkSize: chunkSize)
    #expect(
      try result.store.store.rows(
        "SELECT Z_1ITEMS, Z_2LISTS, Z_FOK_1ITEMS, Z_FOK_2LISTS FROM Z_1LISTS ORDER BY 1, 2") == [
          [.integer(1), .integer(12), .integer(2_048), .integer(2_048)],
          [.integer(2), .integer(11), .integer(2_048), .integer(2_048)],
          [.integer(2), .integer(12), .integer(3_072), .integer(3_072)],
        ])
  }
}
