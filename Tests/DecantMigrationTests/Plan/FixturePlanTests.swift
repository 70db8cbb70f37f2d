import CatalogueSupport
import DecantCatalogue
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// Plans over the genuine families beside the package.
@Suite(.enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)")) struct FixturePlanTests {
  /// A plan as text: `1→3` for an inferred step, `2⇒3` for mapping models.
  ///
  /// The numbers are the places of the versions in display order.
  private func plan(_ family: Family, _ source: FamilyVersion, _ destination: FamilyVersion) -> String {
    do {
      return try PathPlan.make(from: source, to: destination, in: family).steps.map { step in
        let arrow = if case .inferred = step.work { "→" } else { "⇒" }
        return "\(step.source.index + 1)\(arrow)\(step.destination.index + 1)"
      }.joined(separator: " ")
    } catch {
      return error.failure(family: family.name).reason.word
    }
  }

  private func plans(_ name: String, of set: String = "stores", to target: String? = nil) throws -> [String] {
    let family = try SharedFixtures.family(name, of: set)
    let destination = try target.map { try #require(family.version(named: $0)) } ?? family.target()
    return family.versions.map { plan(family, $0, destination) }
  }

  @Test(arguments: [
    ("wibosco", ["1→2 2⇒3 3→4", "2⇒3 3→4", "3→4", ""]),
    ("bergier", ["1→5", "2→5", "3→5", "4→5", ""]),
    ("ddg-bookmarks", ["1→6", "2→6", "3→6", "4→6", "5→6", ""]),
    ("bookmigration", ["1⇒2 2⇒3", "2⇒3", ""]),
    ("carekit", ["1⇒2", ""]),
    ("derived-attribute", ["1⇒2", ""]),
    ("moody", ["1→2 2⇒3 3⇒4 4⇒5 5⇒6", "2⇒3 3⇒4 4⇒5 5⇒6", "3⇒4 4⇒5 5⇒6", "4⇒5 5⇒6", "5⇒6", ""]),
    ("apptentive", ["1⇒2 2⇒3 3⇒4 4⇒5 5⇒6", "2⇒3 3⇒4 4⇒5 5⇒6", "3⇒4 4⇒5 5⇒6", "4⇒5 5⇒6", "5⇒6", ""]),
    (
      "xcserver",
      ["several-paths", "several-paths", "several-paths", "4→5 5⇒6 6→7", "5⇒6 6→7", "6→7", ""]
    ),
    ("surfjournal", [""]), ("cartkit", [""]),
    ("artsy-folio", (1...19).map { $0 == 14 ? "" : "\($0)→14" }),
  ])
  func theWaysToTheCurrentVersion(name: String, expected: [String]) throws {
    #expect(try plans(name) == expected)
  }

  @Test func familiesWhoseCurrentVersionIsNotTheNewest() throws {
    #expect(try plans("mwkcoredata", to: "MWKCoreDataTests3") == ["1→2 2⇒3", "2⇒3", ""])
    #expect(try plans("translationcatalog", to: "CatalogModel_3#CatalogModel") == ["1⇒2 2⇒3", "2⇒3", ""])
    #expect(try plans("loopkit", to: "Modelv4").suffix(2) == ["2⇒3", ""])
    let cars = try SharedFixtures.family("coredataplus")
    let second = try #require(cars.version(named: "SampleModel2"))
    let third = try #require(cars.version(named: "SampleModel#SampleModel3"))
    let first = try #require(cars.version(named: "SampleModel"))
    #expect(plan(cars, first, second) == "1→2")
    #expect(plan(cars, first, third) == "1→2 2⇒6")
    #expect(
      try plans("topics", of: "mapping", to: "Model5") == [
        "1⇒2 2→3 3⇒4 4⇒5", "2→3 3⇒4 4⇒5", "3⇒4 4⇒5", "4⇒5", "",
      ])
  }

  @Test func everyWireStoreReachesTheCurrentVersionInOneInferredStep() throws {
    let family = try SharedFixtures.family("wire")
    let target = try family.target()
    let names = [
      "1.28", "2.3", "2.5", "2.8", "2.21.1", "2.24.1", "2.27.0", "2.30.0", "2.39.0", "2.42.0", "2.45.0",
      "2.49.0",
      "2.51.0", "2.54.0", "2.59.0", "2.63.0", "2.67.0", "2.71.0", "2.75.0", "2.79.0", "2.84.0", "2.88.0",
      "2.92.0",
      "2.96.0",
    ]
    for name in names {
      let version = try #require(family.version(named: "zmessaging\(name)"))
      #expect(plan(family, version, target) == "\(version.index + 1)→83", "\(name)")
    }
    // Some versions have a Boolean with the name of a later Integer 32. Others have a transient Boolean that becomes
    // required. None of them is refused.
    let refused = family.versions.filter { plan(family, $0, target).hasPrefix("not-inferable") }
    #expect(refused.map(\.name) == [])
  }
}
