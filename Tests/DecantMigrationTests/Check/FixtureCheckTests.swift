import CatalogueSupport
import DecantCatalogue
import DecantModel
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// The genuine families beside the package.
@Suite(.enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)")) struct FixtureCheckTests {
  private func report(_ name: String) throws -> FamilyReport {
    let folder = SharedFixtures.root.appendingPathComponent("stores/\(name)")
    return try #require(try CatalogueCheck.report(at: folder).families.first)
  }

  @Test func everyFamilyOfTheMappingModelsIsLookedAt() throws {
    let report = try CatalogueCheck.report(at: SharedFixtures.root.appendingPathComponent("mapping"))
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
    #expect(report.findings.contains { $0.severity == .error && $0.message.contains("it isn't known when") })
  }

  /// “Artwork.locations” of v2.1 is its own inverse.
  @Test func artsy() throws {
    let errors = try report("artsy-folio").findings.filter { $0.severity == .error }.map(\.message)
    #expect(errors.count == 1)
    #expect(
      errors.first?.hasPrefix("Stores of version “ArtsyFolio v2.1” can't be read: ") == true
        && errors.first?.contains("Artwork.locations: ") == true, "\(errors)")
  }

  @Test func aMappingModelWithStaleHashes() throws {
    let report = try report("derived-attribute")
    #expect(report.findings.filter { $0.severity == .error }.count == 2)
    #expect(report.findings[0].message.contains("since then attribute “updatedAt” changed"))
  }

  /// Each version reaches 2.101, and each property without a place in 2.101 has one warning.
  @Test func wire() throws {
    let report = try report("wire")
    #expect(report.count(.error) == 0)
    #expect(report.versions.flatMap(\.names).count == 90)
    let target = "zmessaging2.101.0"
    for version in report.versions where version.name != target {
      #expect(version.reach == .reached && version.steps.map(\.destination) == [target], "\(version.name)")
    }
    let warnings = report.findings.filter { $0.severity == .warning }.map(\.message)
    let (order, drops) = (
      warnings.filter { $0.contains(" its order ") }, warnings.filter { !$0.contains(" its order ") }
    )
    #expect(
      order
        == ["messages", "hiddenMessages"].map {
          "“Conversation.\($0)” loses its order on the path to “\(target)”, where the relationship isn't ordered."
        })
    #expect(try subjects(of: drops) == namesThatGoAway(from: SharedFixtures.family("wire"), to: target))
    // A renaming identifier in 2.53 shows this rename. Names and types alone would suggest four more renames, all of
    // them wrong.
    #expect(
      warnings.filter { $0.contains("Probably") } == [
        "“Conversation.isSilenced” is dropped on the path to “zmessaging2.101.0” from “zmessaging” to “zmessaging2.52.0” "
          + "(38 versions). Probably “mutedStatus” is its new name: state that by a renaming identifier or in “renames”."
      ])
  }

  /// What each warning says is dropped, such as `Note.title` or `Note`, sorted.
  private func subjects(of warnings: [String]) throws -> [String] {
    try warnings.map { warning in
      let marked = try #require(warning.split(separator: "”").first)
      return String(marked.drop { $0 != "“" }.dropFirst())
    }.sorted()
  }

  /// The entities and stored properties of all versions that the target doesn't have under the same name.
  ///
  /// It compares only the models.
  private func namesThatGoAway(from family: Family, to target: String) throws -> [String] {
    let last = try #require(family.version(named: target)).model
    var gone: Set<String> = []
    for model in family.versions.map(\.model) {
      for entity in model.entities {
        guard last.entity(named: entity.name) != nil else {
          gone.insert(entity.name)
          continue
        }
        let kept =
          last.attributes(of: entity.name).filter { !$0.isTransient }.map(\.name)
          + last.relationships(of: entity.name).map(\.name)
        let stored = entity.attributes.filter { !$0.isTransient }.map(\.name) + entity.relationships.map(\.name)
        gone.formUnion(stored.filter { !kept.contains($0) }.map { "\(entity.name).\($0)" })
      }
    }
    // The target has the first two under new names. It has the pairs of the third in the inverse, `Member.user`.
    return gone.subtracting([
      "Conversation.messageDestructionTimeout", "Conversation.messages", "User.memberships",
    ]).sorted()
  }
}
