import DecantPolicies
import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport
@testable import DecantRows

@Suite("Failures: mapping models, in plan, migration and check") struct MappingModelFailureTests {
  private static let versions = [
    "Note\n  text String?\nTag\n  name String?", "Note\n  body String?\n  size Int16?\nTag\n  name String?",
  ]

  private func shop(family: String? = nil) throws -> Workshop {
    let shop = try Workshop(Self.versions, family: family)
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'abc')")
    return shop
  }

  private func plan(_ shop: Workshop) throws -> MigrationFailure {
    try #require(#expect(throws: MigrationFailure.self) { try Migration.plan(shop.job()) })
  }

  private func errors(_ shop: Workshop) throws -> [FamilyReport.Finding] {
    try #require(try CatalogueCheck.report(at: shop.catalogue).families.first).findings.filter {
      $0.severity == .error
    }
  }

  @Test("a fault in one expression doesn't hide those of others, and all are reported with their lines")
  func everything() throws {
    let shop = try shop()
    try shop.map(
      """
      { source: "Note", destination: "Note",
        attributes: {
          body: "$source.text +",
          size: "$source.txt" } },
      { source: "Tag", destination: "Tag",
        filter: "nam != nil",
        attributes: { name: "5" } },
      """)
    let failure = try shop.failure()
    #expect(try plan(shop) == failure)
    #expect(failure.reason == .badMappingModel && failure.disposition == .catalogue)
    let path = shop.folder.path("models/Notes/Step.mapping.json5")
    #expect(failure.message == "\(path) can't be used, for 4 reasons:")
    #expect(failure.excerpt == [])
    #expect(
      failure.details.map { String($0.prefix(while: { $0 != "“" })) } == [
        "it is not a readable mapping model: line 4, column 26: entity mapping ",
        "line 5: entity mapping ", "line 7: entity mapping ", "line 8: entity mapping ",
      ], "\(failure.details)")
    #expect(failure.details[1].contains("“Note” of “V1” has no property “txt”. Perhaps “text” is meant."))
    #expect(failure.details[2].contains("has no property “nam”"))
    #expect(failure.details[3].contains("“name”: the expression gives a number"))
    #expect(!failure.details.contains { $0.contains("required") })
    let found = try errors(shop)
    #expect(found.map(\.line) == [4, 5, 7, 8], "\(found)")
  }

  @Test("a single fault is one sentence with file and line")
  func one() throws {
    let shop = try shop()
    try shop.map(
      "{ source: \"Note\", destination: \"Note\",\n attributes: { body: \"$source.txt\" } }, { remove: \"Tag\" }"
    )
    let failure = try shop.failure()
    #expect(
      failure.message.hasPrefix(
        "\(shop.folder.path("models/Notes/Step.mapping.json5")): line 3: entity mapping “NoteToNote”, “body”: "),
      "\(failure.message)")
    #expect(failure.details == [])
  }

  @Test("after 20 faults, the others are counted, and the message names the command that lists them")
  func many() throws {
    let shop = try shop()
    let rows = (1...25).map { "none\($0): \"1\"" }.joined(separator: ", ")
    try shop.map("{ source: \"Note\", destination: \"Note\", attributes: { \(rows) } }, { remove: \"Tag\" }")
    let failure = try shop.failure()
    #expect(failure.details.count == 21)
    #expect(
      failure.details.last
        == "and 5 more: run “decant mapping \(shop.folder.path("models/Notes/Step.mapping.json5"))”")
  }

  @Test("if an entity mapping's name can't be read, references to the name aren't reported")
  func unreadNames() throws {
    let shop = try Workshop(
      "Note\n tag -> Tag.notes\nTag\n notes ->> Note.tag",
      "Note\n x Int16?\n tag -> Tag.notes\nTag\n notes ->> Note.tag")
    try shop.makeStore("")
    try shop.map(
      """
      { source: "Note", destination: "Note", relationships: { tag: { mapping: "Tags" } } },
      { nam: "Tags", source: "Tag", destination: "Tag" },
      """)
    let failure = try shop.failure()
    #expect(failure.message.contains("has no key “nam”") && failure.details == [], "\(failure)")
  }

  @Test("a part of a text without effect is a fault in plan, migration and check")
  func noEffect() throws {
    let shop = try shop()
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", attributes: { body: \"$source.text\" } },\n"
        + "{ remove: \"Tag\", filter: \"name != nil\" }")
    for failure in [try shop.failure(), try plan(shop)] {
      #expect(failure.message.contains(": line 3: entity mapping “Tag”: “filter” has no effect"), "\(failure)")
    }
    #expect(try errors(shop).map(\.line) == [3])
  }

  @Test("a duplicate name in the order of passes is reported with file and line")
  func order() throws {
    let shop = try shop(family: "{\n  order: [\"Step\", \"Step\"],\n}")
    try shop.map("{ source: \"Note\", destination: \"Note\" }, { source: \"Tag\", destination: \"Tag\" }")
    let path = shop.folder.path("models/Notes/family.json5")
    for failure in [try shop.failure(), try plan(shop)] {
      #expect(
        failure.message
          == "The family “Notes” can't be used: \(path), line 2: “order” names the mapping model “Step” twice; remove one "
          + "of the two.",
        "\(failure)")
    }
    let found = try errors(shop)
    #expect(found.map(\.line) == [2] && found[0].message.contains("“Step” twice"), "\(found)")
  }

  @Test("a policy that is never called may be missing")
  func neverCalled() throws {
    let shop = try shop()
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", attributes: { body: \"$source.text\" } },\n"
        + "{ source: \"Tag\", destination: \"Tag\" }, { name: \"New\", add: \"Tag\", policy: \"Gone.Policy\" }")
    let plan = try Migration.plan(
      shop.job(), code: .asked { _ in .names(policies: [], functions: [], worker: "/w") })
    #expect(plan.missingCode == [])
    #expect(
      plan.warnings.contains { $0.contains("the policy Gone.Policy is never called") }, "\(plan.warnings)")
    #expect(try errors(shop) == [])
    let report = try shop.migrate().report
    #expect(report.warnings.contains { $0.contains("the policy Gone.Policy is never called") })
  }

  @Test("a missing program is reported with the line that names it")
  func program() throws {
    let shop = try shop()
    try shop.map(
      "{ source: \"Tag\", destination: \"Tag\" },\n{ source: \"Note\", destination: \"Note\",\n"
        + "  policy: { program: [\"./nowhere\"] } }")
    let failure = try shop.failure()
    #expect(
      failure.message.hasPrefix(
        "Entity mapping “NoteToNote” of \(shop.folder.path("models/Notes/Step.mapping.json5")), line 4: "),
      "\(failure)")
    let found = try errors(shop)
    #expect(found.map(\.line) == [4] && found[0].file?.hasSuffix("Step.mapping.json5") == true, "\(found)")
  }

  @Test("a missing worker is reported with the line of family.json5")
  func worker() throws {
    let shop = try shop(family: "{\n\n  worker: \"/nowhere/notes-worker\",\n}")
    let place = "\(shop.folder.path("models/Notes/family.json5")), line 3: "
    let reason = "The worker “/nowhere/notes-worker” isn't there."
    let failure = try #require(
      #expect(throws: MigrationFailure.self) {
        try Migration.plan(shop.job(), code: .required { _ in .unusable(reason) })
      })
    #expect(failure.message == place + reason)
    let told = try Migration.plan(shop.job(), code: .asked { _ in .unusable(reason) })
    #expect(told.missingCode == [place + reason])
    let report = try CatalogueCheck.report(at: shop.catalogue) { _ in .unusable(reason) }
    let found = try #require(report.families.first).findings.filter { $0.severity == .error }
    #expect(found.map(\.line) == [3] && found[0].file?.hasSuffix("family.json5") == true, "\(found)")
    // For a worker that the caller names, no line of family.json5 is reported.
    let other = try Migration.plan(shop.job(), code: .asked { _ in .unusable("The worker “/x” isn't there.") })
    #expect(other.missingCode == ["The worker “/x” isn't there."])
  }

  @Test("all unreadable models of all families are reported")
  func unreadableModels() throws {
    let shop = try shop()
    for version in ["V1", "V2"] {
      try shop.folder.write("<model", to: "models/Notes/Notes.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try shop.folder.write("<model", to: "models/Other/Other.xcdatamodel/contents")
    let failure = try shop.failure()
    #expect(failure.reason == .brokenFamily)
    let all = [failure.message] + failure.details
    #expect(failure.message.hasPrefix("The family “Notes” can't be used: "), "\(failure)")
    for name in ["V1.xcdatamodel", "V2.xcdatamodel", "Other.xcdatamodel"] {
      #expect(all.contains { $0.contains(name) }, "\(name): \(all)")
    }
    let report = try CatalogueCheck.report(at: shop.catalogue)
    #expect(report.families.map { $0.count(.error) } == [2, 1])
  }

  @Test("a syntax fault of a mapping model is reported before its consequences")
  func syntaxFirst() throws {
    let shop = try shop()
    try shop.folder.write("{ source: \"V1\",\n destination", to: "models/Notes/Step.mapping.json5")
    let failure = try shop.failure()
    #expect(
      failure.message.hasPrefix(
        "The family “Notes” can't be used: \(shop.folder.path("models/Notes/Step.mapping.json5")) is not a readable "
          + "mapping model: it is not JSON5: line 2"), "\(failure)")
  }

  static let unreadableTexts: [(head: String, first: String)] = [
    (
      "source: \"V1\", order: 1, destinaton: \"V2\"", "has no key “destinaton”; perhaps “destination” is meant."
    ),
    ("source: \"V1\", destination: \"V2\", order: \"1\"", "“order” must be a whole number."),
    ("source: \"V0\", destination: \"V2\"", "has no version “V0”"),
  ]

  @Test(
    "if a text makes its family broken, all its unreadable parts are reported, not only its head",
    arguments: unreadableTexts)
  func heads(text: (head: String, first: String)) throws {
    let shop = try shop()
    try shop.folder.write(
      """
      { \(text.head),
        entityMappings: [
          { source: "Note", destination: "Note", unikeBy: "text" },
          { source: "Tag", destination: "Tag",
            attributes: { name: 5 } } ] }
      """, to: "models/Notes/Step.mapping.json5")
    let failure = try shop.failure()
    #expect(try plan(shop) == failure)
    #expect(failure.reason == .brokenFamily && failure.disposition == .catalogue)
    #expect(failure.message.contains(text.first), "\(failure)")
    #expect(failure.details.count == 2, "\(failure.details)")
    let others = [
      "line 3, column 53: entity mapping “NoteToNote” has no key “unikeBy”;", "line 5, column 27: ",
    ]
    #expect(zip(failure.details, others).allSatisfy { $0.contains($1) }, "\(failure.details)")
    #expect(try errors(shop).count == 3)
  }

  @Test("failures of policies, programs and chunks name store, pass and entity mapping")
  func places() throws {
    final class Failing: EntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
      ) throws { throw RowProblem(reason: "no") }
    }
    var shop = try shop()
    shop.policies.add(Failing.self)
    let tag = "{ source: \"Tag\", destination: \"Tag\" }"
    let keys = [
      "policy: \"\(Failing.self)\"", "policy: { program: [\"/bin/sh\", \"-c\", \"exit 3\"] }",
      "chunks: [\"text == 'x'\"]", "attributes: { size: \"CAST($source.text, 'NSNumber')\" }",
    ]
    for key in keys {
      try shop.map("{ source: \"Note\", destination: \"Note\", \(key) }, \(tag)")
      let failure = try shop.failure()
      #expect(
        failure.message.hasPrefix("Store.sqlite: Entity mapping “NoteToNote” (pass “Step”)"),
        "\(key): \(failure)")
    }
  }

  @Test("the message shows a text that can't be cast, and names the function that reads numbers")
  func cast() throws {
    let shop = try shop()
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", attributes: { size: \"CAST($source.text, 'NSNumber')\" } }, "
        + "{ source: \"Tag\", destination: \"Tag\" }")
    let failure = try shop.failure()
    #expect(failure.message.contains("found the string “abc”; parseNumber(…) reads numbers"), "\(failure)")
  }

  @Test("the time limit of a policy program is kept, and the message shows it")
  func timeLimit() throws {
    let shop = try shop()
    try shop.folder.write(
      "read -r hello; echo '{\"hello\": {\"protocol\": 1}}'; read -r batch; exec sleep 1000",
      to: "models/Notes/slow.sh")
    try shop.map(
      "{ source: \"Note\", destination: \"Note\", policy: { program: [\"/bin/sh\", \"slow.sh\"], timeLimit: 0.4 } }, "
        + "{ source: \"Tag\", destination: \"Tag\" }")
    let failure = try shop.failure()
    #expect(failure.reason == .policyFailed)
    #expect(
      failure.message.contains("gave no complete answer within 0.4 s during batch 1")
        && failure.message.contains("timeLimit: 900"), "\(failure)")
  }
}
