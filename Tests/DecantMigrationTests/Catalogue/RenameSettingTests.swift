import Testing

@testable import DecantMigration

@Suite("Renames in family.json5") struct RenameSettingTests {
  @Test func aRenameOfAPropertyThatTheEntityHasInNoVersionIsAMistake() throws {
    let versions = ["Note\n a Int32?\nTag\n b Int32?", "Note\n c Int32?\nTag\n b Int32?"]
    let shop = try Workshop(versions, family: "{ renames: { properties: { \"Tag.a\": \"c\" } } }")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 7)")
    let failure = try shop.failure()
    #expect(
      failure.message.contains(
        "“renames.properties” names “Tag”, and neither “a” nor “c” is a property of it in any version"),
      "\(failure)")
    let right = try Workshop(versions, family: "{ renames: { properties: { \"Note.a\": \"c\" } } }")
    try right.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 7)")
    #expect(try right.migrate().lines == ["Note#1 c=7"])
  }
}
