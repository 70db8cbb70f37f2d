import DecantExpressions
import DecantModel
import DecantSQLite
import DecantStore
import Testing

@testable import DecantEngine
@testable import DecantMigration

@Suite("Rules that only compiled models have") struct ValidationPredicateTests {
  /// What the rules of a model find in a small store, and the rules that can't be checked.
  private func findings(
    _ name: String, _ predicate: String, _ warning: ValidationWarning? = nil
  ) throws -> (found: [String], unchecked: [String]) {
    func rules(_ property: String) -> [ValidationPredicate] {
      property == name ? [ValidationPredicate(format: predicate, warning: warning)] : []
    }
    func attribute(_ name: String, _ type: AttributeType) -> Attribute {
      Attribute(name: name, type: type, isOptional: true, validationPredicates: rules(name))
    }
    let model = try ManagedObjectModel(
      entities: [
        Entity(
          name: "Note",
          attributes: [
            attribute("text", .string), attribute("size", .integer32), attribute("at", .date),
            attribute("flag", .boolean), attribute("price", .decimal), attribute("data", .binary),
            attribute("shape", .transformable),
          ],
          relationships: [
            Relationship(
              name: "tags", destinationEntityName: "Tag", inverseName: "note", isOptional: true,
              maximumCount: 0,
              validationPredicates: rules("tags")),
            Relationship(
              name: "lead", destinationEntityName: "Tag", isOptional: true, validationPredicates: rules("lead")),
          ]),
        Entity(
          name: "Tag", attributes: [Attribute(name: "name", type: .string, isOptional: true)],
          relationships: [
            Relationship(name: "note", destinationEntityName: "Note", inverseName: "tags", isOptional: true)
          ]),
      ])
    let layout = try StoreLayout(model, framework: FrameworkVersion(1344))
    let database = try SQLiteDatabase("rules", mode: .memory)
    for statement in try SchemaStatements(layout).all where statement.hasPrefix("CREATE TABLE ") {
      try database.execute(statement)
    }
    try ExpressionFunctions.register(in: database, now: 0)
    try ExternalDataFunction.register(in: database, folder: "/nowhere")
    try database.execute(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZSIZE, ZAT, ZFLAG, ZPRICE, ZDATA, ZSHAPE, ZLEAD) VALUES
        (1, 1, 1, 'red', 5, 50, 1, 9.5, x'AABB', x'00', 1), (2, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        (3, 1, 1, 'Grün', 8, -7, 0, 10, x'CC', x'01', 2);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNOTE) VALUES (1, 2, 1, 'a', 1), (2, 2, 1, NULL, 1), (3, 2, 1, 'c', 3);
      """)
    var unchecked: [String] = []
    let rules = ValidationRule.rules(of: "Note", in: layout) { unchecked.append($0) }
    let found = try ValidationFindings(layout: layout, database: database).findings(rules, of: "Note")
    return (found.map(\.description), unchecked)
  }

  @Test(
    "the predicate of a property is checked for every value except nil",
    arguments: [
      ("text", "SELF BEGINSWITH 'r'", [3]), ("text", "SELF CONTAINS[cd] 'GRUN'", [1]),
      ("text", "SELF IN {'red', 'blue'}", [3]), ("text", "length > 3 OR SELF == 'red'", []),
      ("text", "uppercase(SELF) == 'RED'", [3]), ("text", "NOT (SELF LIKE 'Gr*')", [3]),
      ("size", "SELF != 8", [3]), ("size", "modulus:by:(SELF, 2) == 0", [1]),
      ("size", "SELF BETWEEN {1, 6}", [3]),
      ("at", "SELF > CAST(0, 'NSDate')", [3]), ("flag", "SELF == YES", [3]), ("price", "SELF < 10", [3]),
      ("size", "TRUEPREDICATE", []), ("size", "FALSEPREDICATE", [1, 3]),
      ("data", "SELF == CAST('qrs=', 'NSData')", [3]),
      ("text", "SUBQUERY({SELF, 'x'}, $t, $t == SELF).@count == 1", []),
      ("tags", "SELF.@count != 2", [1]), ("tags", "ALL SELF.name != 'c'", [3]),
      ("lead", "SELF.name != nil", [3]),
    ])
  func predicates(property: String, predicate: String, keys: [Int]) throws {
    let result = try findings(property, predicate)
    #expect(result.unchecked == [])
    guard !keys.isEmpty else {
      #expect(result.found == [])
      return
    }
    #expect(
      result.found == [
        "In \(keys.count) \(keys.count == 1 ? "object" : "objects") of entity “Note”, “\(property)” breaks the rule "
          + "“\(predicate)” (1550), such as \(keys.map { "Note/p\($0)" }.joined(separator: ", "))"
      ])
  }

  @Test func theModelsOwnWordsAndCodeAreShown() throws {
    #expect(
      try findings("size", "SELF != 8", .message("Eight is unlucky")).found == [
        "In 1 object of entity “Note”, “size” breaks the rule “SELF != 8”: “Eight is unlucky” (1550), such as Note/p3"
      ])
    #expect(
      try findings("size", "SELF != 8", .code(4711)).found == [
        "In 1 object of entity “Note”, “size” breaks the rule “SELF != 8” (4711), such as Note/p3"
      ])
  }

  @Test(
    "predicates that can't be checked are reported",
    arguments: [("shape", "SELF.width > 3"), ("text", "SELF ==")])
  func unchecked(property: String, predicate: String) throws {
    let result = try findings(property, predicate)
    #expect(result.found == [])
    #expect(result.unchecked.count == 1 && result.unchecked[0].contains("“Note.\(property)”"), "\(result)")
  }
}
