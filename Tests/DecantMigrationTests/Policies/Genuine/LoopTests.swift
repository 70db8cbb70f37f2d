import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// Numbers the carbohydrates of version 4.
///
/// Its subclasses state what was done to each object and when.
class CarbObjectPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard
      let carb = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first
    else { return }
    let numbered = try manager.destinationContext.count(for: .init(entity: "CachedCarbObject"))
    carb.setValue(numbered, forKey: "anchorKey")
    try fill(carb, from: sInstance)
  }

  func fill(_ carb: ManagedObject, from sInstance: ManagedObject) throws {}
}

final class CachedCarbObjectv3EntityMigrationPolicy: CarbObjectPolicy {
  override func fill(_ carb: ManagedObject, from sInstance: ManagedObject) throws {
    carb.setValue(sInstance.value(forKey: "startDate"), forKey: "addedDate")
    carb.setValue(sInstance.value(forKey: "startDate"), forKey: "userCreatedDate")
    carb.setValue(0, forKey: "operation")
  }
}

/// Makes objects of the same entity from deleted carbohydrates, of which only the deletion is known.
///
/// They are marked as deleted.
final class DeletedCarbObjectv3EntityMigrationPolicy: CarbObjectPolicy {
  override func fill(_ carb: ManagedObject, from sInstance: ManagedObject) throws {
    carb.setValue(false, forKey: "createdByCurrentApp")
    carb.setValue(0.0, forKey: "grams")
    carb.setValue(sInstance.value(forKey: "externalID"), forKey: "syncIdentifier")
    carb.setValue(sInstance.value(forKey: "startDate"), forKey: "userDeletedDate")
    carb.setValue(2, forKey: "operation")
  }
}

@Suite("Heavy: loop", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct LoopTests {
  private func family(_ place: String, _ origin: HeavyFamily.Origin) throws -> HeavyFamily {
    try HeavyFamily(
      place, origin,
      policies: [
        "LoopKit.CachedCarbObjectv3EntityMigrationPolicy": CachedCarbObjectv3EntityMigrationPolicy.self,
        "LoopKit.DeletedCarbObjectv3EntityMigrationPolicy": DeletedCarbObjectv3EntityMigrationPolicy.self,
      ],
      leavingOut: ["DeviceLog.xcdatamodeld"])
  }

  @Test("the genuine store, in which nothing was deleted")
  func genuine() throws {
    let family = try family("stores/loopkit", .genuine("Model.sqlite.v1.original"))
    let result = try family.checkEveryManner(to: "Modelv4")
    #expect(
      result.allAccounts == [
        "ReservoirToReservoir 1 = 1", "PumpEventToPumpEvent 4 = 4",
        "CachedGlucoseObjectToCachedGlucoseObject 0 = 0",
        "CachedInsulinDeliveryObjectToCachedInsulinDeliveryObject 1 = 1",
        "CachedCarbObjectToCachedCarbObject 1 = 1", "DeletedCarbObjectToCachedCarbObject 0 = 0",
      ])
    #expect(
      result.counts == [
        "Reservoir": 1, "PumpEvent": 4, "CachedInsulinDeliveryObject": 1, "CachedCarbObject": 1,
      ])
    try checkCarbs(result)
    try family.checkRefusal(
      to: "Modelv4", naming: "LoopKit.CachedCarbObjectv3EntityMigrationPolicy", in: "Modelv1v4.xcmappingmodel")
  }

  @Test(
    "a generated store: two entities become one, and no two objects get the same key", arguments: [60, 240])
  func generated(rows: Int) throws {
    let family = try family("mapping/loop", .generated(version: "Model", rows: rows, then: ""))
    let result = try family.checkEveryManner(to: "Modelv4", sizes: [1, 7, 100], stopSize: 9)
    let source = result.source.counts
    #expect(source.values.allSatisfy { $0 > 5 } && source.count == 6)
    var expected = source
    expected["CachedCarbObject", default: 0] += expected.removeValue(forKey: "DeletedCarbObject") ?? 0
    #expect(result.counts == expected)
    for step in result.report.steps[0].entities {
      #expect(
        step.source == step.migrated && step.source == source[String(step.entityMapping.prefix { $0 != "T" })]
          || step.entityMapping.hasPrefix("Cached") || step.entityMapping.hasPrefix("Deleted"))
    }
    try checkCarbs(result)
  }

  private func checkCarbs(_ result: Migrated) throws {
    let carbs = result.store.all("CachedCarbObject").map(\.object)
    #expect(Set(carbs.compactMap { $0.integer("anchorKey") }) == Set((0..<carbs.count).map { Int64($0) + 1 }))
    for (key, former) in result.source.all("CachedCarbObject") {
      let carb = try #require(result.store.objects[key])
      for name in ["absorptionTime", "foodType", "grams", "startDate", "syncIdentifier", "syncVersion", "uuid"]
      {
        #expect(carb.attributes[name] == former.attributes[name], "\(key).\(name)")
      }
      #expect(carb.integer("operation") == 0 && carb.attributes["addedDate"] == former.attributes["startDate"])
      #expect(carb.attributes["userDeletedDate"] == nil)
    }
    let deleted = carbs.filter { $0.integer("operation") == 2 }
    let former = result.source.all("DeletedCarbObject").map(\.object)
    #expect(deleted.count == former.count)
    #expect(
      Set(deleted.map { [$0.attributes["syncIdentifier"], $0.attributes["userDeletedDate"]] })
        == Set(former.map { [$0.attributes["externalID"], $0.attributes["startDate"]] }))
    #expect(deleted.allSatisfy { $0.number("grams") == 0 && $0.integer("createdByCurrentApp") == 0 })
  }
}
