import DecantModel
import DecantStore
import DecantTestSupport
import Testing

/// The rules of docs/formats/core-data-sqlite.md 2.4.
@Suite("Columns of composite attributes")
struct CompositeLayoutTests {
  private static func composite(_ name: String, _ elements: [(String, AttributeType)]) -> Attribute {
    Attribute(
      name: name, type: .composite, isOptional: true,
      elements: elements.map { Attribute(name: $0.0, type: $0.1, isOptional: true) })
  }

  private func entity(_ attributes: Attribute..., relationships: [Relationship] = []) -> Entity {
    Entity(name: "E", attributes: attributes, relationships: relationships)
  }

  @Test("each element has a column in the group of its type, at the place of the attribute's name")
  func columns() throws {
    let entity = entity(
      Self.composite("author", [("person", .string), ("id", .integer64), ("at", .date)]),
      Attribute(name: "id", type: .integer16, isOptional: true),
      Attribute(name: "zoo", type: .string, isOptional: true),
      Attribute(name: "about", type: .string, isOptional: true))
    let layout = try Layouts.layout([entity])
    #expect(
      try SchemaStatements(layout).all[0]
        == "CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID INTEGER, ZID1 INTEGER, "
        + "ZAT TIMESTAMP, ZABOUT VARCHAR, ZPERSON VARCHAR, ZZOO VARCHAR )")
    #expect(layout.attributeColumn("author.id", of: "E") == "ZID")
    #expect(layout.attributeColumn("id", of: "E") == "ZID1")
    #expect(layout.attributeColumn("author", of: "E") == nil)
  }

  @Test("elements have the order of the composite, and equal names of several composites get digits")
  func order() throws {
    let entity = entity(
      Self.composite("to", [("y", .double), ("x", .double)]),
      Self.composite("from", [("x", .double), ("y", .double)]))
    #expect(
      try Layouts.statement("CREATE TABLE ZE", [entity])
        == "CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZX FLOAT, ZY FLOAT, ZY1 FLOAT, "
        + "ZX1 FLOAT )")
  }

  @Test("a transient composite attribute, or one without elements, has no column; framework 1333 is the oldest")
  func without() throws {
    var transient = Self.composite("gone", [("x", .double)])
    transient.isTransient = true
    let entity = entity(Self.composite("empty", []), transient, Attribute(name: "a", type: .string))
    #expect(
      try Layouts.statement("CREATE TABLE ZE", [entity])
        == "CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA VARCHAR )")
    let model = try ManagedObjectModel(entities: [self.entity(Self.composite("c", [("x", .double)]))])
    #expect(FrameworkVersion.oldest(expressing: model) == FrameworkVersion(1333))
  }

  @Test("the hash order of properties counts a composite attribute once, by its own name")
  func hashOrder() throws {
    for count in 0..<12 {
      let ends = [Layouts.toMany("next", "E", "previous"), Layouts.toMany("previous", "E", "next")]
      let others = (0..<count).map { Attribute(name: "a\($0)", type: .string) }
      let plain = Entity(
        name: "E", attributes: others + [Attribute(name: "place", type: .string)], relationships: ends)
      var composite = plain
      composite.attributes = others + [Self.composite("place", [("x", .double), ("y", .double)])]
      #expect(
        try Layouts.layout([plain]).joinTables.map(\.name)
          == Layouts.layout([composite]).joinTables.map(\.name))
    }
  }

  @Test("names that can't be those of columns are refused, and uniqueness over an element, too")
  func refusals() throws {
    #expect(throws: LayoutError.unusableName(entity: "E", property: "a b")) {
      try Layouts.layout([entity(Self.composite("c", [("a b", .string)]))])
    }
    #expect(throws: LayoutError.unusableName(entity: "E", property: "c.d")) {
      try Layouts.layout([entity(Attribute(name: "c.d", type: .string))])
    }
    var unique = entity(Self.composite("c", [("x", .string)]))
    unique.uniquenessConstraints = [["c.x"]]
    #expect(
      #expect(throws: LayoutError.self) { try Layouts.statements([unique]) }?.description.contains(
        "E.c.x: which columns a uniqueness constraint uses if one of its names") == true)
    var indexed = entity(Self.composite("c", [("x", .string)]))
    indexed.fetchIndexes = [FetchIndex(name: "byX", elements: [.init(property: "c.x")])]
    let statements = try SchemaStatements(Layouts.layout([indexed]))
    #expect(statements.indexes == [])
    #expect(statements.leftOut.map(\.property.name) == ["byX"])
  }
}
