import DecantStore
import Testing

@testable import DecantMigration

@Suite("Mapping models: relationships of an entity with itself, and one-to-one") struct SelfRelationTests {
  private static let sizes: [Int?] = [1, 2, 7]

  /// The lines of a run without chunks.
  ///
  /// Each chunk size must give the same lines.
  private func lines(_ make: () throws -> Workshop) throws -> [String] {
    let whole = try make().migrate()
    for size in Self.sizes {
      let result = try make().migrate(chunkSize: size)
      #expect(result.lines == whole.lines, "chunks of \(String(describing: size))")
    }
    return whole.lines
  }

  @Test func friendsAndFansAreTwoEndsOfOneTable() throws {
    let model = "Note\n text String?\n friends ->> Note.fans ordered\n fans ->> Note.friends"
    let lines = try lines {
      let shop = try Workshop(model, model + "\n more String?")
      try shop.map(
        "{ source: \"Note\", destination: \"Note\", filter: \"text != 'x'\", relationships: { fans: { path: \"$source.fans\" } } }"
      )
      let layout = try StoreLayout(try shop.model("V1"), framework: FrameworkVersion(1344))
      let (join, isNaming) = try #require(layout.joinTable("friends", of: "Note"))
      let (own, other) = isNaming ? (join.second, join.first) : (join.first, join.second)
      let order = try #require(own.orderColumn)
      try shop.makeStore(
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'x'), (4, 1, 1, 'd');
        INSERT INTO \(join.name) (\(other.column), \(own.column), \(order)) VALUES (1, 2, 3072), (1, 4, 2048), (1, 1, 4096),
          (2, 1, 2048), (2, 3, 3072), (3, 4, 2048);
        """)
      return shop
    }
    #expect(
      lines == [
        "Note#1 text='a' fans=[Note#1 Note#2] friends=(Note#4 Note#2 Note#1)",
        "Note#2 text='b' fans=[Note#1] friends=(Note#1)",
        "Note#4 text='d' fans=[Note#1]",
      ])
  }

  @Test func aToManyThatIsItsOwnInverseIsRefusedByName() throws {
    let model = "Note\n text String?\n friends ->> Note.friends"
    let shop = try Workshop("Note\n text String?", model)
    try shop.map("{ source: \"Note\", destination: \"Note\" }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    let failure = try shop.failure()
    #expect(failure.description.contains("Note.friends") && failure.description.contains("its own inverse"))
  }

  private static let couples = "Note\n text String?\n love -> Note\n spouse -> Note.spouse"

  @Test func aToOneThatIsItsOwnInverseStaysAPairOfPairs() throws {
    let lines = try lines {
      let shop = try Workshop(Self.couples, Self.couples + "\n more String?")
      try shop.map("{ source: \"Note\", destination: \"Note\", filter: \"text != 'x'\" }")
      try shop.makeStore(
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSPOUSE) VALUES (1, 1, 1, 'a', 5), (2, 1, 1, 'b', 3), (3, 1, 1, 'x', 2),
          (4, 1, 1, 'd', 4), (5, 1, 1, 'e', 1), (6, 1, 1, 'f', NULL);
        """)
      return shop
    }
    #expect(
      lines == [
        "Note#1 text='a' spouse=Note#5", "Note#2 text='b'", "Note#4 text='d' spouse=Note#4",
        "Note#5 text='e' spouse=Note#1", "Note#6 text='f'",
      ])
  }

  /// If Note 1 has the spouse 2, Note 2 has the spouse 1, whatever the expression gives.
  @Test func aToOneThatIsItsOwnInverseIsSetFromEitherEnd() throws {
    let lines = try lines {
      let shop = try Workshop(Self.couples, "Note\n text String?\n spouse -> Note.spouse")
      try shop.map(
        "{ source: \"Note\", destination: \"Note\", relationships: { spouse: { path: \"$source.love\" } } }")
      try shop.makeStore(
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZLOVE) VALUES (1, 1, 1, 'a', 2), (2, 1, 1, 'b', 3), (3, 1, 1, 'c', 1),
          (4, 1, 1, 'd', NULL), (5, 1, 1, 'e', 4), (6, 1, 1, 'f', 4), (7, 1, 1, 'g', 7), (8, 1, 1, 'h', 9), (9, 1, 1, 'i', 8);
        """)
      return shop
    }
    var spouses: [String: String] = [:]
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      if let spouse = words.first(where: { $0.hasPrefix("spouse=") }) {
        spouses[words[0]] = String(spouse.dropFirst(7))
      }
    }
    for (one, other) in spouses { #expect(spouses[other] == one, "\(lines)") }
    #expect(spouses["Note#8"] == "Note#9" && spouses["Note#7"] == "Note#7")
    #expect(spouses["Note#4"] == "Note#6", "the later one has it: \(lines)")
  }

  private static let single = "Note\n text String?\n page -> Page.note\nPage\n name String?\n note -> Note.page"

  @Test(
    "a one-to-one relationship that is set from one end, from the other end, or from both",
    arguments: [
      "", "page", "note", "page note",
    ])
  func oneToOne(ends: String) throws {
    let lines = try lines {
      let shop = try Workshop(Self.single, Self.single + "\n more String?")
      let note = ends.contains("page") ? ", relationships: { page: { path: \"$source.page\" } }" : ""
      let page = ends.contains("note") ? ", relationships: { note: { path: \"$source.note\" } }" : ""
      try shop.map(
        "{ source: \"Note\", destination: \"Note\"\(note) }, { source: \"Page\", destination: \"Page\", filter: \"name != 'x'\"\(page) }"
      )
      try shop.makeStore(
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZPAGE) VALUES (1, 1, 1, 'a', 3), (2, 1, 1, 'b', 2), (3, 1, 1, 'c', NULL),
          (4, 1, 1, 'd', 1);
        INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE) VALUES (1, 2, 1, 'p', 4), (2, 2, 1, 'x', 2), (3, 2, 1, 'q', 1),
          (4, 2, 1, 'r', NULL);
        """)
      return shop
    }
    #expect(
      lines == [
        "Note#1 text='a' page=Page#3", "Note#2 text='b'", "Note#3 text='c'", "Note#4 text='d' page=Page#1",
        "Page#1 name='p' note=Note#4", "Page#3 name='q' note=Note#1", "Page#4 name='r'",
      ])
  }

  /// With the inverse `tag`, both ends have the same name.
  @Test("a one-to-one relationship of objects of uniqueBy", arguments: [true, false], ["kind", "tag"])
  func uniqueBy(isKindFirst: Bool, inverse: String) throws {
    let lines = try lines {
      let shop = try Workshop(
        "Note\n kind String?\n tag -> Tag\nTag\n name String?",
        "Kind\n name String?\n tag -> Tag.\(inverse)\nTag\n name String?\n \(inverse) -> Kind.tag")
      let kind =
        "{ name: \"Kinds\", source: \"Note\", destination: \"Kind\", uniqueBy: \"$source.kind\", "
        + "attributes: { name: \"$source.kind\" }, relationships: { tag: { path: \"$source.tag\" } } }"
      let tag = "{ source: \"Tag\", destination: \"Tag\" }"
      try shop.map(isKindFirst ? "\(kind), \(tag)" : "\(tag), \(kind)")
      // Nine notes have three kinds. Notes of two kinds refer to each tag, and the notes of “c” refer to two tags.
      try shop.makeStore(
        """
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'one'), (2, 2, 1, 'two'), (3, 2, 1, 'three');
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZKIND, ZTAG) VALUES (1, 1, 1, 'a', NULL), (2, 1, 1, 'b', 1), (3, 1, 1, 'a', 1),
          (4, 1, 1, 'c', 2), (5, 1, 1, 'b', 3), (6, 1, 1, 'c', 3), (7, 1, 1, NULL, 2), (8, 1, 1, 'a', 2), (9, 1, 1, 'c', 2);
        """)
      return shop
    }
    // The last kind that refers to a tag gets the tag. A kind that loses a tag doesn't get another.
    #expect(
      lines == [
        "Kind#1 name='a'", "Kind#2 name='b' tag=Tag#1", "Kind#3 name='c' tag=Tag#2",
        "Tag#1 name='one' \(inverse)=Kind#2",
        "Tag#2 name='two' \(inverse)=Kind#3", "Tag#3 name='three'",
      ])
  }
}
