import DecantMapping
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantPasses
@testable import DecantReport

@Suite("Plans of mapping models") struct PlanDetailTests {
  private static let versions = [
    "Note\n text String?\n kind String?\n tags ->> Tag.notes\nTag\n name String?\n notes ->> Note.tags",
    "Note\n body String?\n kind String?\n tags ->> Tag.notes\nTag\n name String?\n notes ->> Note.tags\nKind\n name String?",
  ]
  private static let mapping = """
    { source: "Note", destination: "Kind", uniqueBy: "$source.kind", attributes: { name: "$source.kind" } },
    { source: "Note", destination: "Note", filter: "text != nil", attributes: { body: "uppercase($source.text)" },
      chunks: ["text < 'n'", "text >= 'n'"] },
    { source: "Tag", destination: "Tag", chunks: { size: 9 } },
    """

  /// - Parameter hasOld: Whether the source has a further entity, with two objects.
  private func workshop(
    _ further: String = "", family: String? = nil, hasOld: Bool = false
  ) throws -> Workshop {
    let shop = try Workshop(
      [Self.versions[0] + (hasOld ? "\nOld\n a String?" : ""), Self.versions[1]], family: family)
    try shop.map(Self.mapping + further)
    try shop.makeStore(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZKIND) VALUES (1, 1, 1, 'one', 'a'), (2, 1, 1, NULL, 'a'),
        (3, 1, 1, 'three', NULL);
      """ + (hasOld ? "INSERT INTO ZOLD (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);" : ""))
    return shop
  }

  @Test func aPlanSaysFiltersChunksExpressionsAndWhatIsFiltered() throws {
    let shop = try workshop()
    let plan = try Migration.plan(shop.job())
    let mappings = try #require(plan.steps.first).entityMappings
    #expect(mappings.map(\.filtered) == [nil, 1, nil] && mappings.map(\.withoutValue) == [1, nil, nil])
    #expect(mappings.map(\.rows) == [3, 3, 0])
    #expect(mappings.allSatisfy { $0.way == .set && $0.pass == "Step" })
    #expect(mappings[0].uniqueBy == "$source.kind")
    #expect(mappings[1].filter == "text != nil" && mappings[1].chunks == ["text < \"n\"", "text >= \"n\""])
    #expect(mappings[2].chunkRows == 9)
    let body = try #require(mappings[1].attributes.first { $0.name == "body" })
    #expect(body.expression == "uppercase:($source.text)" && !body.isRule)
    #expect(mappings[1].attributes.first { $0.name == "kind" }?.isRule == true)
    #expect(mappings[1].relationships.map(\.isRule) == [true])
    #expect(mappings[1].relationships.map(\.path) == ["$source.tags"])
    #expect(mappings[1].relationships.map(\.mapping) == ["TagToTag"])
    #expect(try JSONDecoder().decode(MigrationPlan.self, from: JSONEncoder().encode(plan)) == plan)
  }

  @Test func aCopyThatChangesAValueIsATransformation() throws {
    for (keys, type) in [("", "copy"), ("attributes: { a: \"uppercase($source.a)\" }", "transform")] {
      let shop = try Workshop("Note\n a String?", "Note\n a String?\nTag\n name String?")
      try shop.map("{ source: \"Note\", destination: \"Note\", \(keys) }")
      try shop.makeStore("")
      #expect(try Migration.plan(shop.job()).steps[0].entityMappings.map(\.type) == [type])
    }
  }

  @Test func passesWithoutOrderAreAllNamed() throws {
    let shop = try workshop()
    for (name, further) in [("A", ""), ("B", "order: 2,"), ("C", "")] {
      try shop.map(name, Self.mapping, further: further)
    }
    let failure = try shop.failure()
    #expect(failure.reason == .passOrder)
    #expect(failure.message.hasSuffix("it isn't known when “A”, “C” and “Step” run."), "\(failure.message)")
    #expect(failure.advice.contains("order: ["), "\(failure.advice)")
  }

  @Test func everythingThatIsLeftToCodeAndIsNotThereIsNamed() throws {
    let shop = try workshop(hasOld: true)
    try shop.map(
      """
      { source: "Note", destination: "Note", policy: "Notes.First",
        attributes: { body: "FUNCTION(CAST('Names', 'Class'), 'a:', $source.text)" } },
      { name: "Second", source: "Tag", destination: "Tag", policy: { program: ["./nowhere"] } },
      { name: "Third", source: "Old", destination: "Kind", policy: "Notes.First" },
      """)
    let failure = try shop.failure()
    #expect(failure.reason == .needsPolicy && failure.details.count == 3, "\(failure)")
    for word in ["Notes.First", "“NoteToNote”", "“Third”", "“./nowhere” wasn't found", "class “Names”"] {
      #expect(failure.details.contains { $0.contains(word) }, "\(word): \(failure.details)")
    }
    #expect(
      failure.advice.hasPrefix(
        "Build a worker that registers these classes, those with functions as MigrationFunctions, and name it with --worker"
      ) && failure.advice.contains("values can be written as expressions"), "\(failure.advice)")
    let plan = try Migration.plan(shop.job(), code: .asked { _ in .noWorker })
    #expect(plan.warnings.count { warning in failure.details.contains { warning.hasPrefix($0) } } == 3)
    // A missing program is missing for every worker. A class may be in a worker that isn't named yet.
    #expect(plan.missingCode.count == 1 && plan.missingCode[0].contains("“./nowhere” wasn't found"))
    let asked = try Migration.plan(
      shop.job(), code: .asked { _ in .names(policies: ["W.First"], functions: ["W.Others"], worker: "/w") })
    #expect(
      asked.missingCode.count == 2 && asked.missingCode[0].contains("class “Names”"), "\(asked.missingCode)")
    #expect(asked.missingCode.allSatisfy(asked.warnings.contains))
    let silent = try Migration.plan(shop.job(), code: .asked { _ in .unusable("It isn't there.") })
    #expect(
      silent.missingCode.count == 2 && silent.missingCode[0] == "It isn't there.", "\(silent.missingCode)")
    #expect(silent.missingCode.allSatisfy(silent.warnings.contains))
    let required = #expect(throws: MigrationFailure.self) {
      try Migration.plan(shop.job(), code: .required { _ in .noWorker })
    }
    #expect(required?.reason == .needsPolicy && required?.details.count == 3)
    let unusable = #expect(throws: MigrationFailure.self) {
      try Migration.plan(shop.job(), code: .required { _ in .unusable("It isn't there.") })
    }
    #expect(unusable?.reason == .workerUnusable && unusable?.exitCode == 78)
  }

  @Test func thePlanAsksTheWorkerThatTheFamilyNames() throws {
    let own = try workshop(family: "{ worker: \"/usr/lib/decant/workers/notes\" }", hasOld: true)
    try own.map(
      """
      { source: "Note", destination: "Note", policy: "Notes.First" },
      { source: "Tag", destination: "Tag", policy: { program: ["./nowhere"] } }, { remove: "Old" },
      """)
    var job = own.job()
    job.runner = .any
    let missing = try Migration.plan(
      job,
      code: .asked { worker in
        worker == "/usr/lib/decant/workers/notes"
          ? .names(policies: ["Team.First"], functions: [], worker: "/w") : .noWorker
      }
    ).missingCode
    #expect(missing.count == 1 && missing[0].contains("./nowhere"), "\(missing)")
  }

  @Test func aPolicyThatIsNeverCalledIsToldInThePlan() throws {
    let shop = try workshop(hasOld: true)
    try shop.map(
      "{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\" }, { remove: \"Old\" }, "
        + "{ add: \"Kind\", policy: { program: [\"sh\"] } }")
    let warnings = try Migration.plan(shop.job()).warnings
    #expect(
      warnings.contains {
        $0.contains("entity mapping “Kind”: the policy sh is never called: without a source entity")
      }, "\(warnings)")
  }

  @Test func anEntityThatATextForgetsIsAFaultOfTheCatalogue() throws {
    let failure = try workshop(hasOld: true).failure()
    #expect(failure.disposition == .catalogue, "\(failure)")
    #expect("\(failure)".contains("no entity mapping takes objects of “Old”"), "\(failure)")
    #expect("\(failure)".contains("{ remove: \"Old\" }"), "\(failure)")
    let removed = try workshop("{ remove: \"Old\" },", family: "{ dataLoss: \"refuse\" }", hasOld: true)
    #expect(try removed.migrate().report.losses.allSatisfy { $0.cause == .removed && $0.accepted })
  }

  @Test(arguments: [
    ("attributes: { body: \"FUNCTION($entityPolicy, 'x')\" }, policy: \"Some\"", "the policy Some"),
    ("policy: { program: [\"python3\", \"x.py\"] }", "the program python3 x.py"),
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
    guard case .rows(let why) = EntityMappingWork(plan, plan.mappings[0]).planned else {
      Issue.record("it runs as a set")
      return
    }
    #expect(why.contains(reason), "\(why)")
    #expect(EntityMappingWork(plan, plan.mappings[1]).planned == .set)
  }
}
