import Foundation
import Testing

@testable import DecantMigration

/// The genuine families beside the package.
@Suite(.enabled(if: Fixtures.folder != nil, Fixtures.absence)) struct FixtureCheckTests {
  private func report(_ name: String) throws -> FamilyReport {
    let folder = try #require(Fixtures.folder).appendingPathComponent("stores/\(name)")
    return try #require(try CatalogueCheck.report(at: folder).families.first)
  }

  @Test func everyFamilyOfTheMappingModelsIsLookedAt() throws {
    let report = try CatalogueCheck.report(at: try #require(Fixtures.folder).appendingPathComponent("mapping"))
    #expect(report.families.count == 17 && report.families.allSatisfy(\.isUsable))
    #expect(report.families.allSatisfy { !$0.versions.isEmpty })
  }

  @Test func wibosco() throws {
    let report = try report("wibosco")
    #expect(report.versions.map { $0.steps.count } == [3, 2, 1, 0])
    #expect(report.policies.map(\.name) == ["CoreDataMigration_Example.Post2ToPost3MigrationPolicy"])
    #expect(report.count(.error) == 1 && report.count(.warning) == 0)
  }

  @Test func moody() throws {
    let report = try report("moody")
    #expect(report.pairs.map(\.untaken) == [[], [], ["Continent"], []])
    #expect(report.versions.map { $0.steps.count } == [5, 4, 3, 2, 1, 0])
  }

  @Test func bookmigration() throws {
    let report = try report("bookmigration")
    #expect(report.findings.contains { $0.severity == .error && $0.message.contains("nothing says when") })
  }

  @Test func aMappingModelWithStaleHashes() throws {
    let report = try report("derived-attribute")
    #expect(report.findings.filter { $0.severity == .error }.count == 2)
    #expect(report.findings[0].message.contains("since then attribute “updatedAt” changed"))
  }
}
