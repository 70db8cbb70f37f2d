import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration

@Suite("Policies: functions that expressions call") struct MessageTests {
  final class Counting: EntityMigrationPolicy {
    override func invoke(_ selector: String, with arguments: [Any?]) throws -> Any? {
      switch (selector, arguments.first ?? nil) {
      case ("toNumberWithValue:", let text as String): return Int(text)
      case ("toNumberWithValue:", nil): return nil
      case ("ownTags:", let note as ManagedObject):
        return (note.value(forKey: "tags") as? NSSet)?.count
      default: return try super.invoke(selector, with: arguments)
      }
    }
  }

  enum Names: MigrationFunctions {
    static func invoke(_ selector: String, with arguments: [Any?]) throws -> Any? {
      if selector == "countTags:" {
        return ((arguments.first as? ManagedObject)?.value(forKey: "tags") as? NSSet)?.count
      }
      guard selector == "getFirstName:" else { throw PolicyProblem.unknownSelector(selector, target: "Names") }
      return (arguments.first as? String)?.split(separator: " ").first.map(String.init)
    }
  }

  private static let old =
    "Note\n name String?\n points String?\n tags ->> Tag.notes\nTag\n notes ->> Note.tags"
  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPOINTS) VALUES (1, 1, 1, 'Ada Lovelace', '12'), (2, 1, 1, NULL, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (3, 2, 1);
    INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 3);
    """

  private static func shop(_ attribute: String, _ expression: String, policy: String? = nil) throws -> Workshop
  {
    let shop = try Workshop(
      Self.old,
      "Note\n first String?\n points Int16?\n count Int16?\n tags ->> Tag.notes\nTag\n notes ->> Note.tags")
    try shop.map(
      """
      { source: "Note", destination: "Note", \(policy.map { "policy: \"\($0)\"," } ?? "")
        attributes: { \(attribute == "points" ? "" : "points: null,") \(attribute): "\(expression)" } }, { source: "Tag", destination: "Tag" }
      """)
    try shop.makeStore(rows)
    return shop
  }

  @Test func thePolicyAnswersForItsOwnSelectors() throws {
    var shop = try Self.shop(
      "points", "FUNCTION($entityPolicy, 'toNumberWithValue:', $source.points)", policy: "Counting")
    shop.policies.add(Counting.self)
    #expect(try shop.lines().prefix(2) == ["Note#1 points=12 tags=[Tag#3]", "Note#2"])
    shop = try Self.shop("count", "FUNCTION($entityPolicy, 'ownTags:', $source)", policy: "Counting")
    shop.policies.add(Counting.self)
    #expect(try shop.lines().prefix(2) == ["Note#1 count=1 tags=[Tag#3]", "Note#2 count=0"])
  }

  @Test func registeredFunctionsAnswerForAClass() throws {
    var shop = try Self.shop("first", "FUNCTION(CAST('Names', 'Class'), 'getFirstName:', $source.name)")
    shop.policies.add(Names.self)
    #expect(try shop.lines().prefix(2) == ["Note#1 first='Ada' tags=[Tag#3]", "Note#2"])
  }

  @Test func whatAFunctionMakesOfASourceObjectIsVerifiedToo() throws {
    var shop = try Self.shop("count", "FUNCTION(CAST('Names', 'Class'), 'countTags:', $source)")
    shop.policies.add(Names.self)
    #expect(try shop.lines().prefix(2) == ["Note#1 count=1 tags=[Tag#3]", "Note#2 count=0"])
    let report = try shop.verify()
    #expect(!report.expected.contains { $0.kind == .notJudged }, "\(report)")
    try MappedFixture.change(shop.output, "UPDATE ZNOTE SET ZCOUNT = 5 WHERE Z_PK = 1")
    #expect(MappedFixture.kinds(try shop.verify()) == ["changed-value Note.count 1 [1]"])
    // Without the class, the expression can't be evaluated.
    shop.policies = PolicyRegistry()
    #expect(try shop.verify().expected.contains { $0.kind == .notJudged && $0.property == "count" })
  }

  @Test func withoutSomebodyWhoAnswersThePlanSaysSo() throws {
    var failure = try Self.shop("first", "FUNCTION(CAST('Names', 'Class'), 'getFirstName:', $source.name)")
      .failure()
    #expect(failure.reason == .needsPolicy && failure.message.contains("class “Names”"), "\(failure)")
    failure = try Self.shop("first", "FUNCTION($entityPolicy, 'a:', $source.name)").failure()
    #expect(failure.reason == .badMappingModel, "\(failure)")
    #expect(failure.message.contains("“a:” is a method of the policy"), "\(failure)")
  }

  @Test func aSelectorThatNobodyKnowsIsTold() throws {
    var shop = try Self.shop("first", "FUNCTION(CAST('Names', 'Class'), 'getLastName:', $source.name)")
    shop.policies.add(Names.self)
    let failure = try shop.failure()
    #expect(failure.reason == .valuesDoNotFit)
    #expect(failure.message.contains("“first”") && failure.message.contains("getLastName:"), "\(failure)")
    #expect(failure.message.contains("Note/p1"), "\(failure)")
  }
}
