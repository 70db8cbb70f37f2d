import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite("Heavy: carekit", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct CareKitTests {
  private static let target = "CareKitStore2.1"
  private static let versioned = [
    "OCKCDCarePlan", "OCKCDContact", "OCKCDOutcome", "OCKCDPatient", "OCKCDTask",
  ]

  private func family(_ origin: HeavyFamily.Origin) throws -> HeavyFamily {
    try HeavyFamily(
      "stores/carekit", origin,
      policies: ["CareKitStore.OCKStoreMigration2_0To2_1Policy": OCKStoreMigration2_0To2_1Policy.self],
      // In version 2.1 many objects lack required relationships, also in stores of the app itself.
      configuration: #"{ validation: "report" }"#)
  }

  @Test("five entities have one policy, which makes the objects that are new in version 2.1")
  func genuine() throws {
    let family = try family(.genuine("SampleStore2.0.sqlite"))
    let result = try family.checkEveryManner(to: Self.target)
    #expect(
      result.counts == [
        "OCKCDContact": 2, "OCKCDOutcome": 3, "OCKCDOutcomeValue": 3, "OCKCDPersonName": 2,
        "OCKCDPostalAddress": 2, "OCKCDScheduleElement": 4, "OCKCDTask": 3, "OCKCDKnowledgeElement": 8,
      ])
    #expect(result.allAccounts.contains("OCKCDTaskToOCKCDTask 3 = 3"))
    try check(result)
    try family.checkRefusal(
      to: Self.target, naming: "CareKitStore.OCKStoreMigration2_0To2_1Policy",
      in: "2.0_2.1_Mapping.xcmappingmodel")
  }

  @Test("tags that are archives become objects that tasks and contacts share")
  func tags() throws {
    func archive(_ titles: [String]) throws -> String {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: titles as NSArray, requiringSecureCoding: true)
      return "X'" + data.map { String(format: "%02x", $0) }.joined() + "'"
    }
    let family = try family(.genuine("SampleStore2.0.sqlite"))
    try family.change(
      """
      UPDATE ZOCKCDTASK SET ZTAGS = \(try archive(["daily", "pelvic"])) WHERE Z_PK = 1;
      UPDATE ZOCKCDTASK SET ZTAGS = \(try archive(["daily"])) WHERE Z_PK = 3;
      UPDATE ZOCKCDCONTACT SET ZTAGS = \(try archive(["pelvic", "médico"])) WHERE Z_PK = 2;
      """)
    let result = try family.checkEveryManner(to: Self.target)
    let tags = result.store.all("OCKCDTag").map { tag in
      let words = ["tasks", "contacts"].flatMap { tag.object.toMany[$0] ?? [] }.map { "\($0)" }
      return "\(tag.object.text("title") ?? ""): \(words.joined(separator: " "))"
    }
    #expect(
      tags.sorted() == [
        "daily: OCKCDTask#1 OCKCDTask#3", "médico: OCKCDContact#2", "pelvic: OCKCDTask#1 OCKCDContact#2",
      ])
    try check(result)
  }

  @Test("a generated store, with tasks that are linked to HealthKit, patients, plans and notes")
  func generated() throws {
    let family = try family(.generated(version: "CareKitStore2.0", rows: 220, then: ""))
    let result = try family.checkEveryManner(to: Self.target, sizes: [1, 7, 100], stopSize: 15)
    var expected = result.source.counts
    let linked = result.source.all("OCKCDTask").count { $0.object.toOne["healthKitLinkage"] != nil }
    #expect(linked > 2)
    expected["OCKCDHealthKitTask"] = linked
    expected["OCKCDTask", default: 0] -= linked
    if expected["OCKCDTask"] == 0 { expected["OCKCDTask"] = nil }
    expected["OCKCDKnowledgeElement"] = Self.versioned.reduce(0) { $0 + (result.source.counts[$1] ?? 0) }
    var titles: Set<[UInt8]> = []
    for entity in Self.versioned {
      for case .blob(let data)? in result.source.all(entity).map({ $0.object.attributes["tags"] }) {
        let list = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, NSString.self], from: data)
        titles.formUnion((list as? [String] ?? []).map { Array($0.utf8) })
      }
    }
    #expect(titles.count > 20)
    expected["OCKCDTag"] = titles.count
    #expect(result.counts == expected)
    try check(result)
  }

  /// Checks that relationships and some values of each object are unchanged, and what the policy has made.
  private func check(_ result: Migrated) throws {
    let now = try places(in: result)
    for entity in ["OCKCDContact", "OCKCDOutcome", "OCKCDTask", "OCKCDOutcomeValue", "OCKCDScheduleElement"] {
      for (key, former) in result.source.all(entity) {
        let object = try #require(now[key].flatMap { result.store.objects[$0] }, "\(key)")
        for (name, target) in former.toOne where object.hasPlace(for: name, in: result, now[key]) {
          let targets = object.toMany[name] ?? object.toOne[name].map { [$0] } ?? []
          #expect(targets == now[target].map { [$0] }, "\(key).\(name)")
        }
        for name in ["createdDate", "id", "title", "durationInSeconds", "typeString"] {
          guard let value = former.attributes[name], object.attributes[name] != nil else { continue }
          #expect(object.attributes[name] == value, "\(key).\(name)")
        }
      }
    }
    for (key, outcome) in result.source.all("OCKCDOutcome") {
      let object = try #require(now[key].flatMap { result.store.objects[$0] })
      #expect(object.attributes["effectiveDate"] == outcome.attributes["date"])
      let task = outcome.toOne["task"].flatMap { result.source.objects[$0] }
      #expect(object.text("id") == "\(task?.text("id") ?? "")_\(outcome.integer("taskOccurrenceIndex") ?? 0)")
    }
    let versioned = result.store.objects.values.filter { $0.toMany["knowledge"] != nil }
    #expect(versioned.count == result.counts["OCKCDKnowledgeElement"])
    #expect(Set(versioned.compactMap { $0.attributes["uuid"] }).count == versioned.count)
  }

  /// The destination object of each source object.
  ///
  /// It has the same entity and key, except for tasks that became HealthKit tasks.
  private func places(in result: Migrated) throws -> [LogicalStore.Key: LogicalStore.Key] {
    var places: [LogicalStore.Key: LogicalStore.Key] = [:]
    let linked = result.store.all("OCKCDHealthKitTask")
    for key in result.source.objects.keys {
      if result.store.objects[key] != nil {
        places[key] = key
      } else {
        let id = result.source.objects[key]?.attributes["createdDate"]
        let same = linked.filter { $0.object.attributes["createdDate"] == id }
        if same.count == 1 { places[key] = same[0].key }
      }
    }
    return places
  }
}

extension LogicalStore.Object {
  /// Whether the entity of the destination object has a relationship with that name.
  fileprivate func hasPlace(for name: String, in result: Migrated, _ key: LogicalStore.Key?) -> Bool {
    key.map { result.store.model.relationship(name, of: $0.entity) != nil } ?? false
  }
}
