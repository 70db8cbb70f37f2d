import DecantTestSupport
import Foundation
import Testing

@testable import DecantEngine
@testable import DecantMigration
@testable import DecantVerification

@Suite(
  "Verification of genuine stores through mapping models",
  .enabled(if: SharedFixtures.areThere, "\(SharedFixtures.reason)"))
struct GenuineMappedTests {
  /// Every way with mapping models in the table that can be migrated.
  static let ways: [(folder: String, store: String, version: String)] = GenuineWays.table.flatMap { entry in
    entry.ways.filter { $0.key.hasPrefix("mapped") }.flatMap(\.value).sorted().map {
      (entry.folder, entry.store, $0)
    }
  }

  @Test("verify finds no difference in any result of mapping models", arguments: ways)
  func everyWay(folder: String, store: String, version: String) throws {
    let genuine = try GenuineStore(folder, store)
    var job = genuine.job(to: version)
    job.keepsAssociations = true
    let migration = try Migration.run(job)
    #expect(migration.associations == KeptAssociations.place(beside: job.output).lastPathComponent)
    let report = try Verification.run(
      source: genuine.source, destination: genuine.output, catalogue: genuine.store.folderURL, target: version,
      scratch: genuine.folder.url.appendingPathComponent("scratch"))
    #expect(report.isEqual, "\(report)")
    #expect(report.compared.rows > 0 && report.way?.steps.count == migration.steps.count)
    #expect(report.way?.steps.contains { $0.means == .associations } == true)
  }
}
