import DecantPolicies
import Testing

@testable import DecantMigration

@Suite("Mapping models: rules of the destination model") struct ValidationTests {
  private static let old =
    "Note\n text String?\n size Int32?\n at Date?\n tags ->> Tag.notes\n boss -> Tag\nTag\n notes ->> Note.tags"
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE, ZAT, ZBOSS) VALUES (1, 1, 1, 'abc', 5, 50, 1),
      (2, 1, 1, NULL, NULL, NULL, NULL), (3, 1, 1, 'a', 1, 5, 1), (4, 1, 1, '😀😀', 100, 500, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
    INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (3, 1), (3, 2);
    """

  /// A note and its source object, as a message names them.
  private static func made(_ key: Int) -> String {
    "Note/p\(key) (made by entity mapping “NoteToNote” from Note/p\(key))"
  }

  private func shop(
    _ property: String, further: String = "", family: String? = nil
  ) throws -> Workshop {
    let name = property.split(separator: " ")[0]
    var lines = Self.old.split(separator: "\n").map(String.init)
    lines.removeAll { $0.hasPrefix(" \(name) ") }
    lines.insert(" " + property, at: 1)
    let shop = try Workshop([Self.old, lines.joined(separator: "\n") + "\n more String?"], family: family)
    try shop.map(
      "Step", "{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\" }",
      further: further)
    try shop.makeStore(Self.rows)
    return shop
  }

  @Test(
    "if an object breaks a rule, the store is refused; the message has property, number, code and keys",
    arguments: [
      ("text String", "In 1 object of entity “Note”, “text” is missing (1570), such as \(Self.made(2)).", 1570),
      ("text String? max 3", "“text” is too long (1660), such as \(Self.made(4)).", 1660),
      ("text String? min 2", "“text” is too short (1670), such as \(Self.made(3)).", 1670),
      (
        "text String? matches '[a-c]+'",
        "“text” doesn't match its regular expression (1680), such as \(Self.made(4)).",
        1680
      ),
      ("size Int32? max 50", "“size” is too large (1610), such as \(Self.made(4)).", 1610),
      ("size Int32? min 2", "“size” is too small (1620), such as \(Self.made(3)).", 1620),
      ("at Date? max 100", "“at” is too late (1630), such as \(Self.made(4)).", 1630),
      ("at Date? min 10", "“at” is too early (1640), such as \(Self.made(3)).", 1640),
      (
        "boss -> Tag required",
        "In 2 objects of entity “Note”, “boss” is missing (1570), such as \(Self.made(2)), \(Self.made(4)).",
        1570
      ),
      (
        "tags ->> Tag.notes required least 1",
        "In 2 objects of entity “Note”, “tags” has fewer than 1 target (1580), such as \(Self.made(2)), \(Self.made(4)).",
        1580
      ),
      ("tags ->> Tag.notes least 2", "“tags” has fewer than 2 targets (1580), such as \(Self.made(1)).", 1580),
    ])
  func broken(property: String, words: String, code: Int) throws {
    let shop = try shop(property)
    let failure = try shop.failure()
    #expect(failure.reason == .invalidObjects && failure.disposition == .refuse, "\(failure)")
    #expect(failure.coreDataCode == code)
    #expect(failure.message.hasSuffix(words), "\(failure.message)")
  }

  @Test func severalBrokenRulesAreAllTold() throws {
    let shop = try shop("text String min 2")
    let failure = try shop.failure()
    #expect(failure.coreDataCode == 1560)
    #expect(
      failure.message
        == "Store.sqlite: In 1 object of entity “Note”, “text” is missing (1570), such as \(Self.made(2)). "
        + "In 1 object of entity “Note”, “text” is too short (1670), such as \(Self.made(3)).")
  }

  @Test("objects that break a rule are reported if mapping model or family say so", arguments: [true, false])
  func reported(byFamily: Bool) throws {
    let shop =
      byFamily
      ? try shop("text String", family: "{ validation: \"report\" }")
      : try shop("text String", further: "validation: \"report\",", family: "{ validation: \"fail\" }")
    let result = try shop.migrate(chunkSize: 2)
    #expect(result.lines.contains("Note#2"))
    #expect(
      result.report.warnings.filter { $0.contains("1570") } == [
        "In 1 object of entity “Note”, “text” is missing (1570), such as \(Self.made(2)); still migrated, but Core Data "
          + "refuses to save such objects."
      ])
  }

  @Test func aFamilyThatFailsRefusesInferredStepsToo() throws {
    let texts = ["Note\n tag -> Tag\nTag", "Note\n tag -> Tag required\nTag"]
    let shop = try Workshop(texts, family: "{ validation: \"fail\" }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    let failure = try shop.failure()
    #expect(failure.reason == .invalidObjects)
    #expect(failure.message.contains("“Note.tag”"))
  }

  /// Makes the object of the base class, and a label without a name for one note.
  final class Tagging: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      guard sInstance.value(forKey: "text") as? String == "abc" else { return }
      _ = manager.destinationContext.insertObject(ofEntity: "Label")
    }
  }

  @Test(
    "for objects of a policy, the message names the policy and gives no advice about expressions",
    arguments: [true, false])
  func madeByPolicies(isMixed: Bool) throws {
    var shop = try Workshop(
      "Note\n text String?\nTag\n name String?", "Note\n text String\nLabel\n name String\nTag\n name String")
    shop.policies.add(Tagging.self)
    try shop.map(
      "{ name: \"Tagged\", source: \"Note\", destination: \"Note\", policy: \"Tagging\" },"
        + (isMixed ? "{ source: \"Tag\", destination: \"Tag\" }" : "{ remove: \"Tag\" }"))
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'abc'), (2, 1, 1, NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (4, 2, 1, NULL);
      """)
    let failure = try shop.failure()
    #expect(
      failure.message
        == "Store.sqlite: In 1 object of entity “Label”, “name” is missing (1570), such as Label/p1 (made by a policy "
        + "without a source object). In 1 object of entity “Note”, “text” is missing (1570), such as Note/p2 (made by entity "
        + "mapping “Tagged”, policy Tagging, from Note/p2)."
        + (isMixed
          ? " In 1 object of entity “Tag”, “name” is missing (1570), such as Tag/p4 (made by entity mapping “TagToTag” from "
            + "Tag/p4)." : ""))
    #expect(
      failure.advice.hasPrefix(
        isMixed ? "Change the expressions, fix the policy, or" : "Fix the policy, or leave")
    )
  }
}
