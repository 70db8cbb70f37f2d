import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// A car's maker is a text, and becomes an object that all cars of the maker share, whatever their entity.
final class V2to3MakerPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard let name = sInstance.value(forKey: "maker") as? String,
      let car = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first
    else { return }
    // Each of three entity mappings has its own instance of this policy. So only the store has all makers.
    let context = manager.destinationContext
    let known = try context.fetch(
      .init(
        entity: "Maker",
        predicate: .compare(.path(from: .selfObject, [.key("name")]), .equal, .constant(.string(name)))))
    let maker = known.first ?? context.insertObject(ofEntity: "Maker")
    maker.setValue(name, forKey: "name")
    maker.mutableSetValue(forKey: "cars").add(car)
  }
}

@Suite("Heavy: coredataplus", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct CoreDataPlusTests {
  private static let target = "SampleModel#SampleModel3"

  private func family(
    _ origin: HeavyFamily.Origin = .genuine("SampleModel_V1.sqlite"), leavingOut: Set<String> = []
  ) throws -> HeavyFamily {
    try HeavyFamily(
      "stores/coredataplus", origin, policies: ["REPLACE_AT_RUNTIME.V2to3MakerPolicy": V2to3MakerPolicy.self],
      leavingOut: leavingOut)
  }

  @Test("makers become objects: three entities of a hierarchy have one policy")
  func makers() throws {
    let family = try family()
    let result = try family.checkEveryManner(to: Self.target, sizes: [1, 7, 60], stopSize: 20)
    #expect(result.report.steps.map(\.passes) == [["inferred"], ["V2toV3"]])
    #expect(
      result.allAccounts.suffix(4) == [
        "CarToCar 115 = 115", "LuxuryCarToLuxuryCar 5 = 5", "PersonToPerson 20 = 20",
        "SportCarToSportCar 5 = 5",
      ])
    #expect(result.counts == ["Car": 115, "LuxuryCar": 5, "SportCar": 5, "Person": 20, "Maker": 10])
    try checkCars(result, renamed: ["ExpensiveSportCar": "LuxuryCar"])
    try family.checkRefusal(
      to: Self.target, naming: "REPLACE_AT_RUNTIME.V2to3MakerPolicy", in: "V2toV3")
  }

  @Test("the compiled mapping model gives the same result as its source")
  func compiled() throws {
    let one = try #require(try family(leavingOut: ["V2toV3.xcmappingmodel"]).migrate(to: Self.target))
    let two = try #require(try family(leavingOut: ["V2toV3.cdm"]).migrate(to: Self.target))
    #expect(one.store.lines == two.store.lines)
    #expect(one.counts["Maker"] == 10)
  }

  @Test("a generated store of version 2, in which some cars have no maker")
  func generated() throws {
    let family = try family(
      .generated(
        version: "SampleModel2", rows: 160,
        then: """
          UPDATE ZCAR SET ZMAKER = CASE Z_PK % 6 WHEN 0 THEN NULL WHEN 1 THEN 'Škoda' WHEN 2 THEN 'skoda' ELSE 'Seat' END;
          """))
    let result = try family.checkEveryManner(to: Self.target, sizes: [1, 7, 60], stopSize: 15)
    #expect(result.counts == result.source.counts.merging(["Maker": 3]) { $1 })
    try checkCars(result, renamed: [:])
  }

  /// Each car has the maker that its text names, keeps its owner, and has this owner as its only previous owner.
  private func checkCars(_ result: Migrated, renamed: [String: String]) throws {
    var cars: [String: [LogicalStore.Key]] = [:]
    for (key, car) in result.source.objects where result.source.model.isKind(key.entity, of: "Car") {
      let now = LogicalStore.Key(entity: renamed[key.entity] ?? key.entity, key: key.key)
      let object = try #require(result.store.objects[now], "\(now)")
      let maker = object.toOne["createdBy"].flatMap { result.store.objects[$0] }
      #expect(maker?.text("name") == car.text("maker"), "\(now)")
      #expect(object.toOne["owner"] == car.toOne["owner"], "\(now)")
      #expect(object.toMany["previousOwners"] == car.toOne["owner"].map { [$0] }, "\(now)")
      #expect(object.text("numberPlate") == car.text("numberPlate"), "\(now)")
      if let name = car.text("maker") { cars[name, default: []].append(now) }
    }
    let byKey = { (left: LogicalStore.Key, right: LogicalStore.Key) in left.key < right.key }
    for (key, maker) in result.store.all("Maker") {
      let name = try #require(maker.text("name"))
      #expect(maker.toMany["cars"]?.sorted(by: byKey) == cars[name]?.sorted(by: byKey), "\(key)")
    }
    for (key, person) in result.store.all("Person") {
      #expect(person.toMany["previousCars"] == person.toMany["cars"], "\(key)")
    }
  }
}
