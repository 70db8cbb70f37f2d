import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

@Suite("Inferred steps: integer types") struct IntegerTypeTests {
  private static func versions(_ from: String, _ to: String) -> [String] {
    ["Note\n size \(from)?\nPage < Note", "Note\n size \(to)?\nPage < Note"]
  }

  private static func rows(_ values: Int64...) -> String {
    values.enumerated().map {
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (\($0.offset + 1), 1, 1, \($0.element));"
    }.joined() + "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (99, 2, 1);"
  }

  @Test(
    arguments: [
      ("Int16", "Int32", [-32_768, 32_767]), ("Int16", "Int64", [-32_768, 32_767]),
      ("Int32", "Int64", [-2_147_483_648, 2_147_483_647]), ("Int64", "Int32", [-2_147_483_648, 2_147_483_647]),
      ("Int64", "Int16", [-32_768, 32_767]), ("Int32", "Int16", [-32_768, 32_767]),
    ] as [(String, String, [Int64])])
  func valuesThatFitAreCopied(from: String, to: String, values: [Int64]) throws {
    let shop = try Workshop(Self.versions(from, to))
    try shop.makeStore(Self.rows(values[0], values[1]))
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 size=\(values[0])", "Note#2 size=\(values[1])", "Page#99"])
    #expect(result.losses == [])
  }

  // docs/formats/core-data-sqlite.md 9.6
  @Test(
    "Boolean becomes an integer, as between Wire 2.53 and 2.54", arguments: ["Int16", "Int32", "Int64"])
  func booleans(to: String) throws {
    let shop = try Workshop(
      "Note\n isSilenced Bool?\nPage < Note", "Note\n status \(to) = 3 was isSilenced\nPage < Note")
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZISSILENCED) VALUES (1, 1, 1, 1), (2, 1, 1, 0), (3, 1, 1, NULL);
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZISSILENCED) VALUES (4, 2, 1, 1);
      """)
    let result = try shop.migrate()
    #expect(result.lines == ["Note#1 status=1", "Note#2 status=0", "Note#3 status=3", "Page#4 status=1"])
    #expect(result.losses == [])
  }

  @Test func aDamagedBooleanThatIsNoIntegerOfTheNewSizeIsRefused() throws {
    let shop = try Workshop("Note\n a Bool?", "Note\n a Int16?")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 70000);")
    #expect(try shop.failure().reason == .valuesDoNotFit)
  }

  @Test func valuesThatDoNotFitRefuseThePlanWithCountAndRange() throws {
    let shop = try Workshop(Self.versions("Int64", "Int16"))
    try shop.makeStore(Self.rows(32_768, -32_769, 5, .max))
    let failure = try shop.failure()
    #expect(failure.disposition == .refuse)
    #expect(failure.reason == .valuesDoNotFit)
    #expect(
      failure.message
        == "Entity “Note”: 3 values of attribute “size” don't fit into -32768 to 32767, the range of “size” in version "
        + "“V2”.")
    #expect(throws: MigrationFailure.self) { try Migration.plan(shop.job()) }
    #expect(!FileManager.default.fileExists(atPath: shop.work.path))
  }

  @Test func valuesThatAreNoWholeNumbersDoNotFit() throws {
    let shop = try Workshop(Self.versions("Int64", "Int16"))
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 3.7), (2, 1, 1, 'x'), (3, 1, 1, 5)")
    #expect(try shop.failure().message.hasPrefix("Entity “Note”: 2 values of attribute “size” don't fit"))
  }

  @Test func aDefaultThatDoesNotFitIsRefusedNamingTheAttribute() throws {
    let shop = try Workshop("Note\n size Int64?", "Note\n size Int16 = 99999")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    let failure = try shop.failure()
    #expect(failure.reason == .notInferable)
    #expect(
      failure.message.hasSuffix(
        "entity “Note”: the default 99999 of attribute “size” doesn't fit into Integer 16."))
  }

  @Test func valuesOfASubentityAreLookedAtToo() throws {
    let shop = try Workshop(Self.versions("Int32", "Int16"))
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 2, 1, 70000)")
    #expect(try shop.failure().message.hasPrefix("Entity “Page”: 1 value of attribute “size”"))
  }

  @Test(
    arguments: [
      ("Int16", "String"), ("Int32", "Double"), ("Bool", "Double"), ("Int16", "Bool"), ("Double", "Float"),
      ("Date", "Double"), ("String", "URI"), ("Binary", "Transformable"),
    ])
  func everyOtherChangeOfTypeIsRefused(from: String, to: String) throws {
    let shop = try Workshop(Self.versions(from, to))
    try shop.makeStore("")
    let failure = try shop.failure()
    #expect(failure.reason == .notInferable)
    #expect(failure.message.contains("entity “Note”: attribute “size” changes its type from "))
  }
}
