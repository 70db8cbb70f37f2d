import Foundation
import Testing

@testable import DecantMigration
@testable import DecantReport

/// A check's warnings about a mapping model are also in the plan and the report, once each and with their place.
@Suite struct StepFindingTests {
  private func shop(_ keys: String) throws -> Workshop {
    let shop = try Workshop("Note\n text String?\n count Int64?", "Note\n text String?\n count Int16?")
    try shop.map("{ source: \"Note\", destination: \"Note\", \(keys) },")
    try shop.makeStore(
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZCOUNT) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 2);")
    return shop
  }

  @Test func warningsAreInPlanAndReportUnderTheirStep() throws {
    let shop = try shop("\n filter: \"text != 5\"")
    let plan = try Migration.plan(shop.job())
    let found = try #require(plan.steps.first).findings
    #expect(found.map(\.property) == [nil, "count"])
    #expect(found.map(\.line) == [3, 2])
    #expect(
      found.map(\.pass) == ["Step", "Step"] && found.map(\.entityMapping) == ["NoteToNote", "NoteToNote"])
    #expect(
      found[0].description.hasPrefix(
        "Step.mapping.json5, line 3: entity mapping “NoteToNote”: filter: “text != 5” "))
    #expect(found[1].problem == "values of “count” outside -32768 to 32767 don't fit into Integer 16")
    #expect(!plan.warnings.contains { $0.contains("text != 5") })
    let report = try Migration.run(shop.job())
    #expect(report.steps.map(\.findings) == [found])
    #expect(!report.warnings.contains { $0.contains("text != 5") })
    let json = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(MigrationReport.self, from: json) == report)
  }

  @Test func anInferredStepHasNone() throws {
    let shop = try Workshop("Note\n text String?", "Note\n text String?\n more String?")
    try shop.makeStore("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'a');")
    #expect(try Migration.plan(shop.job()).steps.map(\.findings) == [[]])
  }

  @Test func aProgramsRowsAreNotHeldAgainstTheModel() throws {
    let shop = try shop("policy: { program: [\"cat\"] }")
    #expect(try Migration.plan(shop.job(), code: .asked { _ in .noWorker }).steps.map(\.findings) == [[]])
  }

  @Test func errorsComeWithTheLineAndAMarkBelowThePlace() throws {
    let shop = try shop("\n filter: \"text != nil AND text.lenght > 3\"")
    let failure = try shop.failure()
    #expect(failure.reason == .badMappingModel)
    let mark = try #require(failure.excerpt.last).count - 1
    let line = try #require(failure.excerpt.first)
    #expect(String(line.dropFirst(mark).prefix(6)) == "lenght")
    let report = try CatalogueCheck.report(at: shop.catalogue)
    let finding = try #require(report.families.first?.findings.first)
    #expect(finding.line == 3 && finding.excerpt == failure.excerpt)
    #expect(finding.message.contains("a string has no key “lenght”. Perhaps “length” is meant"))
  }
}
