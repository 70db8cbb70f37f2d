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
        "“renames.properties” names “Tag”, but no version of this entity has the property “a” or “c”"),
      "\(failure)")
    let right = try Workshop(versions, family: "{ renames: { properties: { \"Note.a\": \"c\" } } }")
    try right.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 7)")
    #expect(try right.migrate().lines == ["Note#1 c=7"])
  }

  /// Renames apply only to inferred steps.
  ///
  /// A mapping model itself states the source of each value.
  @Test func aRenameThatAMappingModelDoesNotFollowIsANote() throws {
    func notes(_ rows: String, further: String = "") throws -> [String] {
      let shop = try Workshop(
        "Note\n a Int32?\nMark", "Note\n c Int32?\nTag",
        family: "{ renames: { entities: { Mark: \"Tag\" }, properties: { \"Note.a\": \"c\" } } }")
      try shop.map("Step", rows, further: further)
      let findings = try CatalogueCheck.report(at: shop.catalogue).families.flatMap(\.findings)
      return findings.filter { $0.severity == .note && $0.message.contains("“renames”") }.map(\.message)
    }
    let plain = "{ source: \"Note\", destination: \"Note\" }"
    let begin = "“renames” has "
    let end =
      ". Renames apply only to inferred steps and to others: \"infer\". From “V1” to “V2” the mapping model “Step” "
      + "applies instead, without a row that does the same."
    let mark = "{ source: \"Mark\", destination: \"Tag\" }"
    #expect(
      try notes("\(plain), { remove: \"Mark\" }") == [
        begin + "“Mark” to “Tag”, “Note.a” to “c”" + end
      ])
    #expect(try notes("\(plain), \(mark)") == [begin + "“Note.a” to “c”" + end])
    let same = "{ source: \"Note\", destination: \"Note\", attributes: { c: \"$source.a\" } }"
    #expect(try notes("\(same), \(mark)") == [])
    #expect(try notes(plain, further: "others: \"infer\",") == [])
  }
}
