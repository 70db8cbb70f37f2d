import DecantSynthesis
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// The elements of a composite attribute are columns (docs/formats/core-data-sqlite.md 2.4).
@Suite("Composite attributes: inferred steps") struct CompositeTests {
  private static let old = "Note\n author {id:Int32?,name:String?,at:Date?}?\n id Int16?\nMemo < Note"
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZID, ZNAME, ZAT, ZID1) VALUES
      (1, 1, 1, 70000, 'Ana', 5.5, 7), (2, 2, 1, NULL, 'Luis', NULL, 8), (3, 1, 1, NULL, NULL, NULL, NULL);
    """

  @Test func theElementsAreBroughtOver() throws {
    let shop = try Workshop(Self.old, Self.old + "\nTag")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Memo#2 author.name='Luis' id=8", "Note#1 author.at=5.5 author.id=70000 author.name='Ana' id=7",
        "Note#3",
      ])
    #expect(result.losses == [])
    #expect(result.store.metadata.framework == .current)
  }

  @Test func elementsAreAddedRenamedWidenedAndLostByName() throws {
    let shop = try Workshop(
      Self.old,
      "Note\n writer {number:Int64?~id,name:String?,kind:String?=plain}? was author\n id Int16?\nMemo < Note")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Memo#2 id=8 writer.kind='plain' writer.name='Luis'",
        "Note#1 id=7 writer.kind='plain' writer.name='Ana' writer.number=70000", "Note#3 writer.kind='plain'",
      ])
    #expect(result.losses.map { "\($0)" }.count == 1)
    #expect("\(result.losses)".contains("author.at"))
  }

  @Test(
    "the family renames a composite attribute as a whole, or its elements",
    arguments: [
      #"{ "Note.author": "writer", "Note.author.id": "writer.number" }"#,
      #"{ "Note.author.id": "writer.number", "Note.author.name": "writer.name", "Note.author.at": "writer.at" }"#,
    ])
  func statedRenames(properties: String) throws {
    let shop = try Workshop(
      Self.old, "Note\n writer {number:Int32?,name:String?,at:Date?}?\n id Int16?\nMemo < Note",
      family: "{ renames: { properties: \(properties) } }")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Memo#2 id=8 writer.name='Luis'", "Note#1 id=7 writer.at=5.5 writer.name='Ana' writer.number=70000",
        "Note#3",
      ])
    #expect(result.losses == [])
  }

  @Test func anElementThatIsRenamedByItselfLeavesNothingToANewElementOfItsOldName() throws {
    let shop = try Workshop(
      Self.old, "Note\n writer {id:Int32?,number:Int32?,name:String?,at:Date?}?\n id Int16?\nMemo < Note",
      family: #"{ renames: { properties: { "Note.author": "writer", "Note.author.id": "writer.number" } } }"#)
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(
      result.lines == [
        "Memo#2 id=8 writer.name='Luis'", "Note#1 id=7 writer.at=5.5 writer.name='Ana' writer.number=70000",
        "Note#3",
      ])
  }

  @Test func aCompositeThatGoesIsLostElementByElement() throws {
    let shop = try Workshop(Self.old, "Note\n id Int16?\nMemo < Note")
    try shop.makeStore(Self.rows)
    let result = try shop.migrate()
    #expect(result.lines == ["Memo#2 id=8", "Note#1 id=7", "Note#3"])
    for name in ["author.at", "author.id", "author.name"] { #expect("\(result.losses)".contains(name)) }
  }

  @Test func valuesThatDoNotFitASmallerElementAreRefusedByItsName() throws {
    let shop = try Workshop(
      Self.old, "Note\n author {id:Int16?,name:String?,at:Date?}?\n id Int16?\nMemo < Note")
    try shop.makeStore(Self.rows)
    let failure = try shop.failure()
    #expect(failure.reason == .valuesDoNotFit)
    #expect(failure.message.contains("“author.id”"), "\(failure)")
  }

  @Test func aRuleOfAnElementIsLookedAt() throws {
    let shop = try Workshop(
      "Note\n a {n:Int16?}?", "Note\n a {n:Int16?,m:Int16=3}\n s String?", family: "{ validation: \"report\" }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 2), (2, 1, 1, NULL);")
    #expect(try shop.migrate().lines == ["Note#1 a.m=3 a.n=2", "Note#2 a.m=3"])
  }

  @Test func whatTheRuleOfAnElementRefusesGoesToQuarantineWithAllElements() throws {
    let shop = try Workshop(
      "Note\n author {id:Int32?,name:String?}?\n id Int16?",
      "Note\n author {id:Int32?^9,name:String?}?\n id Int16?\n more String?",
      family: "{ validation: \"quarantine\" }")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZID, ZNAME, ZID1) VALUES (1, 1, 1, 5, 'Ana', 70), (2, 1, 1, 70, 'Luis', 5);"
    )
    #expect(try shop.migrate().lines == ["Note#1 author.id=5 author.name='Ana' id=70"])
    let aside = try PutAside(shop, version: "V2")
    #expect(aside.list == ["Note#2 author.id 1610 < Note/p2"])
    #expect(aside.lines == ["Note#2 author.id=70 author.name='Luis' id=5"])
    #expect(try shop.verify().isEqual)
    try shop.changeAside("UPDATE ZNOTE SET ZNAME = 'Eva'")
    #expect(try shop.verify().differences.map(\.kind) == [.asideValue])
  }

  @Test func aSyntheticStoreHasValuesInItsElements() throws {
    let shop = try Workshop(Self.old, Self.old + "\nTag")
    try FileManager.default.createDirectory(
      at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
    _ = try SyntheticStore.write(
      model: try shop.model("V1"), framework: .current, rows: 60, seed: 4, to: shop.source.path)
    let result = try shop.migrate()
    #expect(result.lines.contains { $0.contains("author.id=") && $0.contains("author.at=") })
    #expect(result.source.lines == result.lines)
  }

  @Test func anXMLStoreWithOneIsRefusedByName() throws {
    let shop = try Workshop(Self.old, Self.old + "\nTag")
    try FileManager.default.createDirectory(
      at: shop.source.deletingLastPathComponent(), withIntermediateDirectories: true)
    try XMLStoreText(try shop.model("V1"), objects: "").data.write(to: shop.source)
    let failure = try shop.failure()
    #expect(failure.reason == .unsettledLayout)
    #expect(failure.details == ["Note.author: how an XML store keeps a composite attribute"])
  }
}
