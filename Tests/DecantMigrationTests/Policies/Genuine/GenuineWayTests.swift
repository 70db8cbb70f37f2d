import CatalogueSupport
import DecantTestSupport
import Foundation
import Testing

@testable import DecantMigration

@Suite("Heavy: every way", .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineWayTests {
  private static let needing = GenuineWays.table.filter { $0.ways["needs-policy"] != nil }

  @Test func everyWayThatNeedsAPolicyIsListedWithIt() {
    #expect(Set(Self.needing.map { "\($0.folder)/\($0.store)" }) == Set(GenuineWays.withPolicies.keys))
  }

  @Test("with policies, each version is reached or refused for another reason", arguments: needing)
  func ways(folder: String, store: String, ways: [String: [String]]) throws {
    let family = try SharedFixtures.family(folder)
    let genuine = try GenuineStore(folder, store)
    var job = genuine.job(to: nil)
    for (name, type) in GenuineWays.policies { job.policies.add(type, as: name) }
    var found: [String: [String]] = [:]
    for version in family.versions {
      job.target = version.name
      let way: String
      do {
        let plan = try Migration.plan(job)
        let isMapped = plan.steps.contains { $0.passes != ["inferred"] }
        way = plan.steps.isEmpty ? "current" : (isMapped ? "mapped " : "") + String(plan.steps.count)
      } catch {
        way = error.reason.word
      }
      found[way, default: []].append(version.name)
    }
    var expected = ways
    expected["needs-policy"] = nil
    for (way, versions) in GenuineWays.withPolicies["\(folder)/\(store)"] ?? [:] {
      expected[way, default: []] = (expected[way, default: []] + versions).sorted()
    }
    #expect(found.mapValues { $0.sorted() } == expected)
  }
}
