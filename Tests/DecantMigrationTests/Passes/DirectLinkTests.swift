import DecantStore
import Testing

@testable import DecantMigration

/// Relationships that are written with the objects, or copied, are the same as those that are set one by one.
///
/// `Workshop.migrate` also runs each migration row by row and compares both results.
@Suite("Mapping models: relationships that are written with the objects") struct DirectLinkTests {
  @Test("two entities become one, each with its pairs", arguments: [nil, 1, 2])
  func merged(size: Int?) throws {
    let shop = try Workshop(
      "Book\n tags ->> Tag.books\nFilm\n tags ->> Tag.films\nTag\n books ->> Book.tags\n films ->> Film.tags",
      "Item\n tags ->> Tag.items\nTag\n items ->> Item.tags")
    try shop.map(
      """
      { source: "Book", destination: "Item" }, { source: "Film", destination: "Item" },
      { source: "Tag", destination: "Tag" },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
      INSERT INTO ZFILM (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
      INSERT INTO Z_1TAGS (Z_1BOOKS, Z_3TAGS) VALUES (1, 1), (2, 1), (2, 2);
      INSERT INTO Z_2TAGS (Z_2FILMS, Z_3TAGS1) VALUES (1, 2);
      """)
    #expect(
      try shop.migrate(chunkSize: size).lines == [
        "Item#1 tags=[Tag#1]", "Item#2 tags=[Tag#1 Tag#2]", "Item#3 tags=[Tag#2]",
        "Tag#1 items=[Item#1 Item#2]", "Tag#2 items=[Item#2 Item#3]",
      ])
  }

  @Test("if two entity mappings set the same to-many relationship, the later one wins", arguments: [nil, 1])
  func lastWord(size: Int?) throws {
    let shop = try Workshop(
      "Folder\n docs ->> Doc.folder\nArchive\n name String?\n oldDocs ->> Doc.archive\n"
        + "Doc\n folder -> Folder.docs\n archive -> Archive.oldDocs",
      "Box\n docs ->> Doc.box\nDoc\n box -> Box.docs")
    try shop.map(
      """
      { name: "Docs", source: "Doc", destination: "Doc", relationships: {
        box: { path: "$source.folder", mapping: "Folders" } } },
      { name: "Archives", source: "Archive", destination: "Box", uniqueBy: "$source.name",
        relationships: { docs: { path: "$source.oldDocs", mapping: "Docs" } } },
      { name: "Folders", source: "Folder", destination: "Box",
        relationships: { docs: { path: "$source.docs", mapping: "Docs" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZARCHIVE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a');
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
      INSERT INTO ZDOC (Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZARCHIVE) VALUES (1, 2, 1, 1, 1), (2, 2, 1, NULL, 1), (3, 2, 1, 2, NULL);
      """)
    let lines = try shop.migrate(chunkSize: size).lines
    #expect(lines.filter { $0.hasPrefix("Doc") } == ["Doc#1 box=Box#1", "Doc#2 box=Box#3", "Doc#3 box=Box#2"])
  }

  @Test("a reference to a missing object doesn't lead to a new object with that key", arguments: [nil, 1])
  func strangers(size: Int?) throws {
    let shop = try Workshop(
      "Label\n name String?\nNote\n tag -> Tag.notes\nTag\n name String?\n notes ->> Note.tag",
      "Note\n tag -> Tag.notes\nTag\n name String?\n notes ->> Note.tag")
    try shop.map(
      """
      { source: "Tag", destination: "Tag" }, { source: "Label", destination: "Tag" },
      { source: "Note", destination: "Note", relationships: { tag: { path: "$source.tag", mapping: "TagToTag" } } },
      """)
    try shop.makeStore(
      """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'x');
      INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'l');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTAG) VALUES (1, 2, 1, 1), (2, 2, 1, 2);
      """)
    #expect(
      try shop.migrate(chunkSize: size).lines == [
        "Note#1 tag=Tag#1", "Note#2", "Tag#1 name='x' notes=[Note#1]", "Tag#2 name='l'",
      ])
  }

  @Test func keysNearTheEndOfAllAreLookedUp() throws {
    let shop = try Workshop(
      "Note\n tag -> Tag\nTag\n name String?", "Note\n text String?\n tag -> Tag\nTag\n name String?")
    try shop.map(
      """
      { source: "Tag", destination: "Tag", filter: "name != ''" },
      { source: "Note", destination: "Note", relationships: { tag: { path: "$source.tag", mapping: "TagToTag" } } },
      """)
    let key = 5_000_000_000_000_000_000
    try shop.makeStore(
      """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, ''), (\(key), 2, 1, 'x');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTAG) VALUES (1, 1, 1, 1), (2, 1, 1, \(key)), (3, 1, 1, \(key - 1));
      """)
    #expect(try shop.migrate().lines == ["Note#1", "Note#2 tag=Tag#\(key)", "Note#3", "Tag#\(key) name='x'"])
  }
}
