import DecantPolicies
import DecantTestSupport
import Foundation
import PredicateFormat
import Testing

@testable import DecantMigration
@testable import DecantReport

/// Three times of an integration are texts in version 1.2.0 and dates from 2.0.0 on.
///
/// The mapping models copy the texts, but a date attribute can't have a text. So the policy parses the texts and copies
/// all other values.
final class IntegrationStringToDateMigrationPolicy: EntityMigrationPolicy {
  static let times: Set = ["endedTime", "queuedDate", "startedTime"]

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: MigrationEntityMapping, manager: MigrationManager
  ) throws {
    let integration = manager.destinationContext.insertObject(ofEntity: mapping.destinationEntityName ?? "")
    for property in mapping.attributeMappings ?? [] {
      guard let name = property.name, case .keyPath(let path)? = property.expression, path.steps.count == 1,
        case .key(let key) = path.steps[0]
      else { continue }
      let value = sInstance.value(forKey: key)
      integration.setValue(Self.times.contains(name) ? Self.date(value) : value, forKey: name)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: integration, for: mapping)
  }

  static func date(_ value: Any?) -> Date? {
    (value as? String).flatMap { try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0) }
  }
}

@Suite("Heavy: xcserver", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct XCServerTests {
  private static let version = "XCServerCoreData"

  private func family(
    path: [String]? = nil, store: String = "XCServerCoreData_1.2.0.sqlite"
  ) throws -> HeavyFamily {
    let names = path.map { $0.map { "\"\(Self.version)\($0)\"" }.joined(separator: ", ") }
    return try HeavyFamily(
      "stores/xcserver", .genuine(store),
      policies: [
        "XCServerCoreData.IntegrationStringToDateMigrationPolicy": IntegrationStringToDateMigrationPolicy.self
      ],
      configuration: names.map { "{ path: [\($0)] }" })
  }

  @Test("texts become dates", arguments: ["2.0.0", "2.0.1"])
  func dates(version: String) throws {
    let family = try family(path: version == "2.0.1" ? ["1.2.0", "2.0.1"] : nil)
    let result = try family.checkEveryManner(
      to: Self.version + version, sizes: [50], stopSize: 200, stops: [3, 40])
    #expect(result.report.steps.map(\.passes) == [["MappingModel1.2.0to\(version)"]])
    try check(result)
    try family.checkRefusal(
      to: Self.version + version, naming: "XCServerCoreData.IntegrationStringToDateMigrationPolicy",
      in: "MappingModel1.2.0to\(version).xcmappingmodel")
  }

  @Test("both paths to 2.0.3 that the settings can choose have equal results")
  func paths() throws {
    let short = try #require(
      try family(path: ["1.2.0", "2.0.1", "2.0.2", "2.0.3"]).migrate(to: nil, chunkSize: 50))
    let long = try #require(
      try family(path: ["1.2.0", "2.0.0", "2.0.1", "2.0.2", "2.0.3"]).migrate(to: nil, chunkSize: 50))
    #expect(short.report.steps.count == 3 && long.report.steps.count == 4)
    #expect(short.report.targetVersion == "XCServerCoreData2.0.3")
    #expect(short.counts == long.counts)
    for result in [short, long] { try check(result) }
  }

  @Test func withoutAWrittenPathTheTwoAreNamed() throws {
    let family = try family()
    let failure = #expect(throws: MigrationFailure.self) {
      try Migration.plan(family.job(to: "XCServerCoreData2.0.1"))
    }
    #expect(failure?.reason == .severalPaths)
    #expect(failure?.message.contains("2.0.0") == true, "\(failure?.message ?? "")")
  }

  private func check(_ result: Migrated) throws {
    let isRenamed = result.report.steps[0].passes == ["MappingModel1.2.0to2.0.0"]
    #expect(result.counts == result.source.counts)
    #expect(
      result.report.steps[0].entities.first { $0.entityMapping == "IntegrationToIntegration" }?.migrated == 24)
    let integrations = result.source.all("Integration").map(\.object)
    let now = Dictionary(
      result.store.all("Integration").map { ($0.object.text("identifier"), $0.object) },
      uniquingKeysWith: { first, _ in first })
    for former in integrations {
      let object = try #require(now[former.text("identifier")])
      for name in IntegrationStringToDateMigrationPolicy.times {
        let text = try #require(former.text(name))
        let seconds = try #require(object.number(name))
        // A Double can't hold each thousandth of a second exactly.
        let date = Date(timeIntervalSinceReferenceDate: seconds + 0.0002)
        #expect(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date) == text)
      }
      for name in ["duration", "number", "result", "currentStep", "lastUpdate"] {
        #expect(object.attributes[name] == former.attributes[name], "\(name)")
      }
      // Only the mapping model to 2.0.0 states what became of `success_streak`.
      #expect(
        object.integer("successStreak") == (isRenamed ? former.integer("success_streak") : 0))
      for name in ["revisionBlueprints", "testedDevices"] {
        #expect(object.toMany[name]?.count == former.toMany[name]?.count, "\(name)")
      }
      for name in ["assets", "buildResultSummary", "issues", "bot"] {
        #expect(object.toOne[name] == former.toOne[name], "\(name)")
      }
    }
    // All values that both versions have are equal, except in integrations and in `documentLocationData`.
    let others = result.changes.filter {
      !$0.contains("Integration#") && !$0.hasSuffix(".documentLocationData")
    }
    #expect(others == [])
  }
}
