import DecantMapping
import Foundation
import Testing

@testable import DecantMigration

@Suite("Plans of mapping models") struct PlanDetailTests {
  private static let versions = [
    "Note\n text String?\n kind String?\n tags ->> Tag.notes\nTag\n name String?\n notes ->> Note.tags\nOld\n a String?",
    "Note\n body String?\n kind String?\n tags ->> Tag.notes\nTag\n name String?\n notes ->> Note.tags\nKind\n name String?",
  ]
  private static let mapping = """
    { source: "Note", destination: "Kind", uniqueBy: "$source.kind", attributes: { name: "$source.kind" } },
    { source: "Note", destination: "Note", filter: "text != nil", attributes: { body: "uppercase($source.text)" },
      chunks: ["text < 'n'", "text >= 'n'"] },
    { source: "Tag", destination: "Tag", chunks: { size: 9 } },
    """

  private func workshop(_ further: String = "", family: String? = nil) throws -> Workshop {
    let shop = try Workshop(Self.versions, family: family)
    try shop.map(Self.mapping + further)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZKIND) VALUES (1, 1, 1, 'one', 'a'), (2, 1, 1, NULL, 'a'),
        (3, 1, 1, 'three', NULL);
      INSERT INTO ZOLD (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
      """)
    return shop
  }

  @Test func aPlanSaysFiltersChunksExpressionsAndWhatIsLeftOver() throws {
    let shop = try workshop()
    let plan = try Migration.plan(shop.job())
    let mappings = try #require(plan.steps.first).entityMappings
    #expect(mappings.map(\.leftOver) == [1, 1, nil] && mappings.map(\.rows) == [3, 3, 0])
    #expect(mappings.allSatisfy { $0.way == .set && $0.pass == "Step" })
    #expect(mappings[0].uniqueBy == "$source.kind")
    #expect(mappings[1].filter == "text != nil" && mappings[1].chunks == ["text < \"n\"", "text >= \"n\""])
    #expect(mappings[2].chunkRows == 9)
    let body = try #require(mappings[1].attributes.first { $0.name == "body" })
    #expect(body.expression == "uppercase:($source.text)" && !body.isRule)
    #expect(mappings[1].attributes.first { $0.name == "kind" }?.isRule == true)
    #expect(mappings[1].relationships.map(\.isRule) == [true])
    #expect(try JSONDecoder().decode(MigrationPlan.self, from: JSONEncoder().encode(plan)) == plan)
  }

  @Test func objectsThatNoEntityMappingTakesAreALoss() throws {
    let shop = try workshop()
    let losses = try Migration.plan(shop.job()).losses
    #expect(losses.map(Migrated.words) == ["entity Old 2"] && losses[0].cause == .noEntityMapping)
    #expect(try shop.migrate().report.losses == losses)
  }

  @Test func aFamilyThatRefusesLossesRefusesThemUnlessTheyAreRemoved() throws {
    let family = "{ dataLoss: \"refuse\" }"
    let failure = try workshop(family: family).failure()
    #expect(failure.reason == "data-loss" && failure.advice.contains("{ remove: \"Old\" }"))
    let result = try workshop("{ remove: \"Old\" },", family: family).migrate()
    #expect(result.report.losses == [])
  }

  @Test func whatALaterStepLeavesBehindIsCountedWhenItRuns() throws {
    let shop = try Workshop(
      "Note\n a String?", "Note\n b String?\nCopy\n b String?", "Note\n c String?\n d String?")
    try shop.map(
      "One",
      "{ source: \"Note\", destination: \"Note\", attributes: { b: \"$source.a\" } }, "
        + "{ source: \"Note\", destination: \"Copy\", attributes: { b: \"$source.a\" } }", further: "")
    try shop.map(
      "Two", "{ source: \"Note\", destination: \"Note\", attributes: { c: \"$source.b\" } }", further: "",
      source: "V2", destination: "V3")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'y');")
    let result = try shop.migrate()
    #expect(result.report.warnings == ["2 objects of “Copy” stayed behind: no entity mapping takes them."])
  }

  @Test(arguments: [
    ("attributes: { body: \"FUNCTION($entityPolicy, 'x')\" }, policy: \"Some\"", "the policy Some"),
    ("policy: { program: [\"python3\", \"x.py\"] }", "the program python3"),
    ("attributes: { body: \"FUNCTION($source.text, 'foo')\" }", "“body”: "),
    ("filter: \"FUNCTION(text, 'foo') == 1\"", "the filter: "),
    ("chunks: [\"FUNCTION(text, 'foo') == 1\"]", "chunk 1: "),
  ])
  func aMappingThatIsNoSetSaysWhy(keys: String, reason: String) throws {
    let shop = try Workshop(Self.versions)
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", \(keys) }, { source: \"Tag\", destination: \"Tag\" }")
    let file = shop.catalogue.appendingPathComponent("Notes/Step.mapping.json5")
    let (source, destination) = (try shop.model("V1"), try shop.model("V2"))
    let model = try MappingModelReading.read(at: file).compiled(from: source, to: destination)
    let plan = try passPlan(model, shop)
    guard case .rows(let why) = MappingWay(plan, plan.mappings[0]).planned else {
      Issue.record("it runs as a set")
      return
    }
    #expect(why.contains(reason), "\(why)")
    #expect(MappingWay(plan, plan.mappings[1]).planned == .set)
  }
}
