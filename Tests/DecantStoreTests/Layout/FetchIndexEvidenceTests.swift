import DecantModel
import Testing

@testable import DecantStore

@Suite("Fetch indexes that the rules don't give") struct FetchIndexEvidenceTests {
  private static func entity(_ index: FetchIndex) -> Entity {
    Entity(
      name: "E",
      attributes: [
        Attribute(name: "a", type: .string, isOptional: true),
        Attribute(name: "b", type: .integer16, isOptional: true),
      ], fetchIndexes: [index])
  }
  private static let partial = FetchIndex(
    name: "i", elements: [.init(property: "a"), .init(property: "b", isAscending: false)],
    partialIndexPredicate: "a != nil")
  private static let start = "CREATE INDEX Z_E_i ON ZE (ZA COLLATE BINARY ASC, ZB COLLATE BINARY DESC)"

  private func schema(_ index: FetchIndex, _ indexes: [String: String] = [:]) throws -> SchemaStatements {
    try SchemaStatements(
      StoreLayout(
        ManagedObjectModel(entities: [Self.entity(index)]), framework: .current,
        evidence: SchemaEvidence(tables: [:], indexes: indexes)))
  }

  @Test(
    "without evidence, indexes with a predicate or an expression are left out and named",
    arguments: ["partial", "expression"])
  func leftOut(what: String) throws {
    let expression = FetchIndex(name: "i", elements: [.init(property: "length(a)")])
    let schema = try schema(what == "partial" ? Self.partial : expression)
    #expect(schema.indexes == [])
    #expect(
      schema.leftOut.map(\.description) == [
        what == "partial"
          ? "E.i: how a fetch index with a predicate is written"
          : "E.i: how a fetch index on an expression is written"
      ])
  }

  @Test("an index with a predicate on one attribute doesn't mark the attribute, unless a genuine store says so")
  func mark() throws {
    let index = FetchIndex(name: "i", elements: [.init(property: "a")], partialIndexPredicate: "a != nil")
    #expect(try schema(index).indexes == [])
    let plain = "CREATE INDEX Z_E_a ON ZE (ZA COLLATE BINARY ASC)"
    let own = "CREATE INDEX Z_E_i ON ZE (ZA COLLATE BINARY ASC) WHERE ZA IS NOT NULL"
    #expect(try schema(index, ["Z_E_a": plain, "Z_E_i": own]).indexes == [plain, own])
  }

  @Test(
    "the statement of a genuine store is used if its condition compares columns with constants",
    arguments: [
      "ZA IS NOT NULL", "( ZA IS NOT NULL)", "ZB = 1 AND ZA <> 'it''s'", "ZB IN (1, 2, -3)",
      "NOT (ZB BETWEEN 1 AND 2.5) OR ZA ISNULL", "za COLLATE BINARY >= ''", "Z_ENT = 1",
    ])
  func taken(condition: String) throws {
    let text = "\(Self.start) WHERE \(condition)"
    let schema = try schema(Self.partial, ["Z_E_i": text])
    #expect(schema.indexes == [text])
    #expect(schema.leftOut == [])
  }

  @Test(
    "a statement with any other condition is not used",
    arguments: [
      "", "1; DROP TABLE ZE", "length(ZA) > 1", "ZA LIKE 'a%'", "ZA GLOB 'a*'", "ZC = 1", "ZE.ZA = 1",
      "\"ZA\" = 1",
      "[ZA] = 1", "ZB /* */ = 1", "ZB = 1 -- x", "ZB = x'00'", "ZA = 'open", "ZB + 1 = 2", "ZB = ?", "ZB = 1 )",
      "(ZB = 1",
      "ZB = (SELECT 1)", "ZA || 'x' = 'y'", "ZB = 1e5", "randomblob(1000000000) IS NULL", "ZA (1)", "AND AND",
      "EXISTS (SELECT 1)", "CASE WHEN ZB THEN 1 END", "ZA = 'a\u{0}b'", "ZB = 1;",
      String(repeating: "(", count: 3000), String(repeating: "ZB = 1 AND ", count: 400) + "ZB = 1",
    ])
  func notTaken(condition: String) throws {
    let schema = try schema(Self.partial, ["Z_E_i": "\(Self.start) WHERE \(condition)"])
    #expect(schema.indexes == [])
    #expect(schema.leftOut.count == 1)
  }

  @Test(
    "the statement of another index is not used",
    arguments: [
      "CREATE UNIQUE INDEX Z_E_i ON ZE (ZA COLLATE BINARY ASC, ZB COLLATE BINARY DESC) WHERE ZA IS NOT NULL",
      "CREATE INDEX Z_E_i ON ZE (ZA COLLATE BINARY ASC) WHERE ZA IS NOT NULL",
      "CREATE INDEX Z_E_i ON ZE (ZA COLLATE NOCASE ASC, ZB COLLATE BINARY DESC) WHERE ZA IS NOT NULL",
      "CREATE INDEX Z_E_i ON ZE (ZA COLLATE BINARY ASC, ZB COLLATE BINARY DESC)",
      "CREATE INDEX Z_E_i ON ZF (ZA COLLATE BINARY ASC, ZB COLLATE BINARY DESC) WHERE ZA IS NOT NULL",
    ])
  func another(text: String) throws {
    #expect(try schema(Self.partial, ["Z_E_i": text]).indexes == [])
  }
}
