import DecantPolicies
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

/// Splits an employee's name: the last word is the last name, and everything before it is the first name.
final class EmployeeToEmployeePolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard mapping.userInfo?["destModelVersion"] as? String == "3" else { return }
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    let (first, last) = Self.parts(of: sInstance.value(forKey: "name") as? String ?? "")
    made.first?.setValue(first, forKey: "firstName")
    made.first?.setValue(last, forKey: "lastName")
  }

  static func parts(of name: String) -> (first: String, last: String) {
    let words = name.split(separator: " ").map(String.init)
    return (words.dropLast().joined(separator: " "), words.last ?? "")
  }
}

@Suite("Heavy: mwkcoredata", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct MWKCoreDataTests {
  private func family(_ origin: HeavyFamily.Origin) throws -> HeavyFamily {
    try HeavyFamily(
      "stores/mwkcoredata", origin, policies: ["EmployeeToEmployeePolicy": EmployeeToEmployeePolicy.self])
  }

  @Test(
    "names are split, from either version",
    arguments: [("MWKCoreDataTests.sqlite", 2, 0), ("MWKCoreDataTests2.sqlite", 1, 3)])
  func names(store: String, steps: Int, departments: Int) throws {
    let family = try family(.genuine(store))
    let result = try family.checkEveryManner(to: "MWKCoreDataTests3")
    #expect(result.report.steps.count == steps)
    #expect(
      result.allAccounts.suffix(2)
        == ["EmployeeToEmployee 3 = 3", "DeptToDept \(departments) = \(departments)"])
    #expect(result.counts == (departments == 0 ? ["Employee": 3] : ["Employee": 3, "Dept": departments]))
    for (key, employee) in result.source.all("Employee") {
      let now = try #require(result.store.objects[key])
      #expect(
        [now.text("firstName"), now.text("lastName")].compactMap { $0 }.joined(separator: " ")
          == employee.text("name"))
      #expect(now.text("lastName")?.contains(" ") == false)
      #expect(now.toOne["dept"] == employee.toOne["dept"])
    }
    #expect(result.changes == [])
    try family.checkRefusal(
      to: "MWKCoreDataTests3", naming: "EmployeeToEmployeePolicy",
      in: "MWKCoreDataTestsV2ToV3.xcmappingmodel")
  }

  @Test("a generated store, in which some names have one word or none")
  func generated() throws {
    let family = try family(
      .generated(
        version: "MWKCoreDataTests2", rows: 100,
        then: """
          UPDATE ZEMPLOYEE SET ZNAME = CASE Z_PK % 4 WHEN 0 THEN 'Plato' WHEN 1 THEN '' WHEN 2 THEN 'Ana María  de la O'
            ELSE 'Éva Ó' END;
          """))
    let result = try family.checkEveryManner(to: "MWKCoreDataTests3", sizes: [1, 7, 30])
    #expect(result.counts == result.source.counts && result.changes == [])
    let names = Set(
      result.store.all("Employee").map { [$0.object.text("firstName"), $0.object.text("lastName")] })
    #expect(names == [["", "Plato"], ["", ""], ["Ana María de la", "O"], ["Éva", "Ó"]])
  }
}
