import DecantStore
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite("XML stores: relationships") struct XMLRelationshipTests {
  /// The lines of a migrated store, and the warnings except the first, which says that the source is an XML store.
  private func migrate(
    _ model: String, _ objects: String, next: String? = nil
  ) throws -> (lines: [String], warnings: [String]) {
    let shop = try Workshop(model, next ?? model + "\nZzz")
    try XMLStoreTests.write(shop, objects)
    let result = try shop.migrate()
    return (result.lines, Array(result.report.warnings.dropFirst()))
  }

  private func object(_ type: String, _ number: Int, _ ends: String...) -> String {
    let elements = ends.map { end in
      let words = end.split(separator: " ").map(String.init)
      let targets = words.dropFirst(2).map { "z" + $0 }.joined(separator: " ")
      return "<relationship name=\"\(words[0])\" type=\"\(words[1])\""
        + (targets.isEmpty ? "" : " idrefs=\"\(targets)\"") + "></relationship>"
    }
    return "<object type=\"\(type)\" id=\"z\(number)\">\(elements.joined())</object>\n"
  }

  @Test func everyCardinalityWithInheritanceAndOrder() throws {
    let model = """
      Animal*
        home -> Place.animals
        tag -> Tag.animal
      Cat < Animal
        friends ->> Cat.admirers
        admirers ->> Cat.friends
        likes ->> Toy.cats ordered
      Dog < Animal
      Place
        animals ->> Animal.home ordered
        best -> Animal
      Tag
        animal -> Animal.tag
        heirs ->> Toy
      Toy
        cats ->> Cat.likes ordered
      """
    let found = try migrate(
      model,
      object("CAT", 1, "friends 0/0 4 3", "home 1/1 10", "tag 1/1 20", "likes 0/0 31 30")
        + object("DOG", 2, "home 1/1 10", "tag 1/1") + object("CAT", 4, "admirers 0/0 1 3")
        + object("CAT", 3, "friends 0/0 4", "admirers 0/0 1", "likes 0/0 30")
        + object("PLACE", 10, "animals 0/0 2 1", "best 1/1 2")
        + object("TAG", 20, "animal 1/1 1", "heirs 0/0 30")
        + object("TOY", 30, "cats 0/0 3 1") + object("TOY", 31, "cats 0/0 1"))
    #expect(found.warnings == [])
    #expect(
      found.lines
        == [
          "Cat#1 home=Place#10 tag=Tag#20 friends=[Cat#3 Cat#4] likes=(Toy#31 Toy#30)",
          "Cat#3 admirers=[Cat#1] friends=[Cat#4] likes=(Toy#30)", "Cat#4 admirers=[Cat#1 Cat#3]",
          "Dog#2 home=Place#10", "Place#10 best=Dog#2 animals=(Dog#2 Cat#1)",
          "Tag#20 animal=Cat#1 heirs=[Toy#30]", "Toy#30 cats=(Cat#3 Cat#1)", "Toy#31 cats=(Cat#1)",
        ])
  }

  private static let boxes = "Box\n items ->> Item.box ordered\nItem\n box -> Box.items"

  @Test func whatOnlyOneEndSaysIsTakenFromThereWithAWarning() throws {
    let found = try migrate(
      Self.boxes,
      object("BOX", 1, "items 0/0 12 11") + object("ITEM", 11, "box 1/1") + object("ITEM", 12, "box 1/1 1")
        + object("ITEM", 13, "box 1/1 1") + object("BOX", 2) + object("ITEM", 14, "box 1/1 2"))
    #expect(
      found.lines == [
        "Box#1 items=(Item#12 Item#11 Item#13)", "Box#2 items=(Item#14)", "Item#11 box=Box#1",
        "Item#12 box=Box#1",
        "Item#13 box=Box#1", "Item#14 box=Box#2",
      ])
    #expect(
      found.warnings == [
        "“Item.box” gets 1 reference that only “Box.items” has.",
        "“Box.items” gets 2 references that only “Item.box” has.",
      ])
  }

  @Test func whereTheEndsContradictTheToOneEndDecides() throws {
    let found = try migrate(
      Self.boxes,
      object("BOX", 1, "items 0/0 11 12") + object("BOX", 2, "items 0/0 12") + object("ITEM", 11, "box 1/1 1")
        + object("ITEM", 12, "box 1/1 2"))
    #expect(found.lines.prefix(2) == ["Box#1 items=(Item#11)", "Box#2 items=(Item#12)"])
    #expect(
      found.warnings == [
        "“Box.items” names 1 object whose “box” is another object; “Item.box” is used (the first: z12 in the list of z1)."
      ])
  }

  @Test func twoOwnersAndNothingThatDecidesIsARefusal() throws {
    let shop = try Workshop(Self.boxes, Self.boxes + "\nZzz")
    try XMLStoreTests.write(
      shop, object("BOX", 1, "items 0/0 11") + object("BOX", 2, "items 0/0 11") + object("ITEM", 11))
    let failure = try shop.failure()
    #expect(failure.reason == .inconsistentStore)
    #expect(
      failure.message.hasSuffix(
        "object z11 of entity “Item”: it is in “Box.items” of z1 and of z2, and its own “box” is empty."))
    let alone = "Box\n items ->> Item\nItem"
    let other = try Workshop(alone, alone + "\nZzz")
    try XMLStoreTests.write(
      other, object("BOX", 1, "items 0/0 11") + object("BOX", 2, "items 0/0 11") + object("ITEM", 11))
    #expect(try other.failure().message.contains("an SQLite store keeps only one owner of it"))
  }

  @Test func referencesThatLeadNowhereToAnotherEntityOrTwiceAreReported() throws {
    let found = try migrate(
      Self.boxes,
      object("BOX", 1, "items 0/0 11 99 11 2") + object("BOX", 2) + object("ITEM", 11, "box 1/1 1")
        + object("ITEM", 12, "box 1/1 98"))
    #expect(found.lines == ["Box#1 items=(Item#11)", "Box#2", "Item#11 box=Box#1", "Item#12"])
    #expect(
      found.warnings == [
        "“Box.items”: 1 reference to objects that are not in the file is left out (the first from z1 to z99).",
        "“Box.items”: 1 reference to objects of another entity is left out (the first from z1 to z2).",
        "“Box.items”: 1 reference is left out, because the same reference is there before (the first from z1 to z11).",
        "“Item.box”: 1 reference to objects that are not in the file is left out (the first from z12 to z98).",
      ])
  }

  @Test func manyToManyPairsOfOneEndAreAppendedToTheOther() throws {
    let found = try migrate(
      "Note\n tags ->> Tag.notes ordered\nTag\n notes ->> Note.tags ordered",
      object("NOTE", 1, "tags 0/0 11 10") + object("NOTE", 2, "tags 0/0 10") + object("TAG", 10, "notes 0/0 2")
        + object("TAG", 11, "notes 0/0 1 2"))
    #expect(
      found.lines == [
        "Note#1 tags=(Tag#11 Tag#10)", "Note#2 tags=(Tag#10 Tag#11)", "Tag#10 notes=(Note#2 Note#1)",
        "Tag#11 notes=(Note#1 Note#2)",
      ])
    #expect(found.warnings.count == 2)
  }

  @Test func oneToOneEndsAreCompletedAndThoseThatDifferStayWithAWarning() throws {
    let model = "A\n b -> B.a\nB\n a -> A.b"
    let found = try migrate(model, object("A", 1, "b 1/1 11") + object("B", 11) + object("A", 2))
    #expect(found.lines == ["A#1 b=B#11", "A#2", "B#11 a=A#1"])
    #expect(found.warnings == ["“B.a” gets 1 reference that only “A.b” has."])
    let shop = try Workshop(model)
    try XMLStoreTests.write(
      shop, object("A", 1, "b 1/1 11") + object("A", 2, "b 1/1 11") + object("B", 11, "a 1/1 2"))
    let plan = try Migration.plan(shop.job())
    #expect(plan.warnings.dropFirst() == ["In 1 object, “A.b” leads to an object whose “a” doesn't lead back."])
  }
}
