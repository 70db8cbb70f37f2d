import Foundation
import Testing

@testable import DecantMigration

@Suite("Inferred steps: relationships that become required") struct RequiredRelationshipTests {
  private static let rows = """
    INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZLIST) VALUES (1, 1, 1, 1), (2, 1, 1, NULL), (3, 1, 1, NULL);
    """
  private static let free = "Item\n list -> List.items\nList\n items ->> Item.list"

  private func warnings(_ to: String, from: String = free) throws -> [String] {
    let shop = try Workshop(from, to)
    try shop.makeStore(Self.rows)
    let plan = try Migration.plan(shop.job()).warnings.filter { $0.contains("required") }
    let report = try shop.migrate().report.warnings.filter { $0.contains("required") }
    #expect(plan == report)
    return plan
  }

  @Test func objectsWithoutTheTargetAreCountedInPlanAndReport() throws {
    #expect(
      try warnings("Item\n list -> List.items required\nList\n items ->> Item.list") == [
        "2 objects have too few targets of the relationship “Item.list”, which is required in version “V2”; such "
          + "objects are migrated, and Core Data refuses to save them until they have enough."
      ])
  }

  @Test func aNewRequiredRelationshipIsMissingEverywhere() throws {
    let found = try warnings("\(Self.free)\n top -> Item required")
    #expect(
      found.count == 1 && found[0].hasPrefix("2 objects have too few targets of the relationship “List.top”"))
  }

  @Test(arguments: [(1, "1 object has"), (2, "2 objects have"), (3, "2 objects have")])
  func theLeastNumberOfTargetsCounts(least: Int, words: String) throws {
    let found = try warnings(
      "Item\n list -> List.items\nList\n items ->> Item.list required least \(least)")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(words) == true, "\(found)")
  }

  @Test("a required to-many relationship without a minimum may be empty, as after mapping models")
  func emptyToMany() throws {
    #expect(try warnings("Item\n list -> List.items\nList\n items ->> Item.list required") == [])
  }

  @Test func aRuleThatWasThereBeforeIsNotReported() throws {
    let required = "Item\n list -> List.items required\nList\n items ->> Item.list"
    #expect(try warnings("\(required)\n x String?", from: required) == [])
    #expect(try warnings("\(Self.free)\n x String?") == [])
  }
}
