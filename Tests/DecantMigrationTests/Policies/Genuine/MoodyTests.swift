import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// Makes a continent for each number.
///
/// Version 5 has the continents only as numbers of countries.
///
/// Countries without number, or with 0, get no continent. The policy looks up earlier continents in the destination and
/// keeps nothing between objects.
final class Country5ToCountry6Policy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard
      let country = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first,
      let code = sInstance.value(forKey: "isoContinent") as? Int, code != 0
    else { return }
    let context = manager.destinationContext
    let known = try context.fetch(
      .init(
        entity: "Continent",
        predicate: .compare(
          .path(from: .selfObject, [.key("numericISO3166Code")]), .equal, .constant(.integer(Int64(code))))))
    let continent = known.first ?? context.insertObject(ofEntity: "Continent")
    continent.setValue(code, forKey: "numericISO3166Code")
    country.setValue(continent, forKey: "continent")
  }
}

@Suite("Heavy: moody", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct MoodyTests {
  private func family(_ origin: HeavyFamily.Origin) throws -> HeavyFamily {
    try HeavyFamily(
      "stores/moody", origin,
      policies: ["Migrations.Country5ToCountry6Policy": Country5ToCountry6Policy.self])
  }

  @Test(
    "the continents, which are only numbers in version 5, are objects again in version 6",
    arguments: [("Moody.moody", 5), ("Moody 2.moody", 4), ("Moody 4.moody", 2)])
  func continents(store: String, steps: Int) throws {
    let family = try family(.genuine(store))
    let result = try family.checkEveryManner(to: "Moody 6")
    #expect(result.report.steps.count == steps)
    #expect(result.report.steps.suffix(2).map(\.passes) == [["Moody 4-Moody 5"], ["Moody 5-Moody 6"]])
    #expect(result.counts == ["Continent": 2, "Country": 3, "Mood": 4])
    let accounts = result.report.steps.last?.entities.map { "\($0.entityMapping) \($0.source) \($0.migrated)" }
    #expect(accounts == ["CountryToCountry 3 3", "MoodToMood 4 4"])
    // Each country has the continent with its former number, and each mood has its country.
    for (key, country) in result.source.all("Country") {
      let code = country.toOne["continent"].flatMap { result.source.objects[$0]?.integer("numericISO3166Code") }
      let now = try #require(
        result.store.all("Country").first {
          $0.object.integer("numericISO3166Code") == country.integer("numericISO3166Code")
        })
      let continent = try #require(now.object.toOne["continent"].flatMap { result.store.objects[$0] })
      #expect(code != nil && continent.integer("numericISO3166Code") == code, "\(key)")
      let moods = (country.toMany["moods"] ?? []).compactMap { result.source.objects[$0]?.number("date") }
      let kept = (now.object.toMany["moods"] ?? []).compactMap { result.store.objects[$0]?.number("date") }
      #expect(moods.sorted() == kept.sorted() && moods.count == Int(country.integer("numberOfMoods") ?? 0))
    }
    try family.checkRefusal(
      to: "Moody 6", naming: "Migrations.Country5ToCountry6Policy",
      in: "Moody 5-Moody 6.xcmappingmodel")
  }

  @Test("a generated store of version 5: some countries have no continent, and some share one")
  func generated() throws {
    let family = try family(
      .generated(
        version: "Moody 5", rows: 120,
        then: """
          UPDATE ZCOUNTRY SET ZISOCONTINENT = CASE Z_PK % 5 WHEN 0 THEN NULL WHEN 1 THEN 0 ELSE 10000 + Z_PK % 3 END;
          """))
    let result = try family.checkEveryManner(to: "Moody 6", sizes: [1, 7, 50])
    let countries = result.source.all("Country")
    let codes = Set(countries.compactMap { $0.object.integer("isoContinent") }).subtracting([0])
    #expect(codes == [10_000, 10_001, 10_002])
    #expect(result.counts == result.source.counts.merging(["Continent": 3]) { $1 })
    for (key, country) in countries {
      let continent = result.store.objects[key]?.toOne["continent"].flatMap { result.store.objects[$0] }
      let code = country.integer("isoContinent").flatMap { $0 == 0 ? nil : $0 }
      #expect(continent?.integer("numericISO3166Code") == code, "\(key)")
      #expect(result.store.objects[key]?.toMany["moods"] == country.toMany["moods"], "\(key)")
    }
  }
}
