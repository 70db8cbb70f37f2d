import DecantModel
import DecantStore
import DecantTestSupport
import Testing

@Suite("Names that tables, columns and indexes can't have")
struct UnusableNameTests {
  static let names = [
    "", "a b", "a\"b", "a;b", "1a", "a-b", "a\u{0}", "a\n", "a)", "'", "a.b", "🇪🇸",
    String(repeating: "a", count: 300),
  ]

  @Test("unusable names of entities, properties and indexes are refused", arguments: names)
  func refused(name: String) throws {
    #expect(throws: LayoutError.unusableName(entity: name, property: nil)) {
      try Layouts.layout([Layouts.entity(name)])
    }
    #expect(throws: LayoutError.unusableName(entity: "E", property: name)) {
      try Layouts.layout([Layouts.entity("E", [(name, .string)])])
    }
    guard !["1a", ""].contains(name) else { return }
    var entity = Layouts.entity("E", [("a", .string)])
    entity.fetchIndexes = [FetchIndex(name: name, elements: [.init(property: "a")])]
    #expect(throws: LayoutError.unusableIndexName(entity: "E", index: name)) { try Layouts.layout([entity]) }
  }

  @Test("letters of any alphabet are accepted", arguments: ["señal", "日本", "_x", "a1", "ß", "É"])
  func accepted(name: String) throws {
    #expect(try !Layouts.statements([Layouts.entity(name, [(name, .string)])]).isEmpty)
  }

  @Test("two names that are equal for SQLite are refused, and the message says what to rename")
  func clashes() throws {
    func sentence(_ entities: [Entity]) -> String? {
      do {
        _ = try Layouts.layout(entities)
        return nil
      } catch {
        return (error as? LayoutError)?.description
      }
    }
    let tables = "and how Core Data keeps them apart isn't known; rename one of the entities or relationships"
    #expect(
      sentence([Layouts.entity("Note"), Layouts.entity("NOTE")])
        == "two tables of a store would be called ZNOTE, \(tables)")
    #expect(
      sentence([Layouts.entity("_METADATA")])
        == "two tables of a store would be called Z_METADATA, \(tables)")
    let ordered = [
      Layouts.entity("P", [], [Layouts.toMany("c", "C", "p", isOrdered: true)]),
      Layouts.entity("C", [("_FOK_P", .string)], [Layouts.toOne("p", "P", "c")]),
    ]
    #expect(
      sentence(ordered)
        == "two columns of table ZC would be called Z_FOK_P, and how Core Data keeps them apart isn't known; rename one of "
        + "the properties")
  }
}
